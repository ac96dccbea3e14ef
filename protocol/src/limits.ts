/** Pulsar's default `maxMessageSize`, in bytes: 5 MiB. */
export const MAX_MESSAGE_SIZE_DEFAULT: number = 5 * 1024 * 1024;

/** What a frame may hold beside the message (`Commands.MESSAGE_SIZE_FRAME_PADDING`), in bytes: 10 KiB. */
export const FRAME_PADDING: number = 10 * 1024;

/** The protocol version this project speaks. */
export const PROTOCOL_VERSION = 21;
