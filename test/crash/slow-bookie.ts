/** Which bookie of a server is slow: its number. */
export const SLOW_BOOKIE_VARIABLE = "PULSEWIRE_CRASH_SLOW_BOOKIE";
