import { T as TestClusterOptions, a as TestCluster } from './types-start-test-cluster.d.js';
export { V as VirtualTime, s as startTestCluster } from './types-start-test-cluster.d.js';
import { PulsarClientOptions, PulsarClient } from '@pulsewire/client';
import { v as NodeId, w as Random, x as Disk, y as DiskFile, z as Channel, T as Transport, E as ChannelSink, F as HttpHandlers, G as Messenger, I as Network, J as Address, K as ConnectOptions, P as ListenOptions, Q as Listener, U as Codec, V as Clock, W as ServerRuntime, h as ClusterOptions, C as Cluster } from './types-cluster.d.js';
import '@pulsewire/client/admin';
import 'abstract-level';
interface TestHooks {
    before?: Hook;
    after?: Hook;
    beforeAll?: Hook;
    afterAll?: Hook;
}
type Hook = (work: () => Promise<void>) => unknown;
declare function useTestCluster(hooks: TestHooks, options?: TestClusterOptions): () => TestCluster;
interface MessengerFaults {
    delayMsMin: number;
    delayMsMax: number;
    lossProbability: number;
    duplicateProbability: number;
    reorderProbability: number;
    reorderDelayMsMax: number;
}
interface NetworkFaults {
    delayMsMin: number;
    delayMsMax: number;
    bandwidthBytesPerSecond: number;
    cutProbability: number;
    refuseProbability: number;
}
interface DiskFaults {
    latencyMsMin: number;
    latencyMsMax: number;
    syncMsMin: number;
    syncMsMax: number;
    sizeBytesMax: number;
    unsyncedLossProbability: number;
    tornWriteProbability: number;
    bitRotProbability: number;
    readErrorProbability: number;
    writeErrorProbability: number;
    syncErrorProbability: number;
}
interface ClockFaults {
    skewMsMax: number;
}
interface RemoteFaults {
    delayMsMin: number;
    delayMsMax: number;
    requestLossProbability: number;
    answerLossProbability: number;
    timeoutMs: number;
}
type Nodes = NodeId | readonly NodeId[];
declare class Links {
    #private;
    constructor(note: (what: string) => void);
    partition(a: Nodes, b: Nodes): void;
    block(from: Nodes, to: Nodes): void;
    heal(a?: Nodes, b?: Nodes): void;
    isBlocked(from: NodeId, to: NodeId): boolean;
    slow(node: NodeId, delayMs: number): void;
    extraDelayMs(from: NodeId, to: NodeId): number;
    onHealed(listener: () => void): Disposable;
}
interface ScheduledEvent {
    dueMs: number;
    order: number;
    cancelled: boolean;
    run: () => void;
}
interface TraceOptions {
    linesMax?: number;
    onLine?: ((line: string) => void) | undefined;
}
declare class Trace {
    #private;
    constructor(nowMs: () => number, options?: TraceOptions);
    get count(): number;
    get lines(): readonly string[];
    get hash(): string;
    note(node: string, what: string): void;
    mixNumber(value: number): void;
    mixText(text: string): void;
    mixBytes(bytes: Uint8Array): void;
    mixValue(value: unknown): void;
}
interface TimelineEvent extends ScheduledEvent {
    readonly node: SimulatedNode | undefined;
    readonly incarnation: number;
}
declare class Timeline {
    #private;
    trace: Trace | undefined;
    constructor(drain: () => Promise<void>, eventsAtOnceMax: number);
    get elapsedMs(): number;
    get events(): number;
    get running(): boolean;
    after(delayMs: number, run: () => void, node?: SimulatedNode): TimelineEvent;
    at(dueMs: number, run: () => void, node?: SimulatedNode): TimelineEvent;
    again(event: TimelineEvent): void;
    run(untilMs: number, done: () => boolean): Promise<"done" | "time" | "idle">;
}
type NodeState = {
    kind: "running";
} | {
    kind: "paused";
    waiting: TimelineEvent[];
} | {
    kind: "crashed";
};
declare class SimulatedNode {
    #private;
    readonly name: string;
    skewMs: number;
    constructor(name: string, timeline: Timeline);
    get state(): NodeState["kind"];
    get incarnation(): number;
    admits(event: TimelineEvent): boolean;
    pause(): void;
    resume(): void;
    crash(): void;
    restart(): void;
}
declare class World {
    #private;
    readonly timeline: Timeline;
    readonly random: Random;
    readonly trace: Trace;
    readonly links: Links;
    constructor(random: Random, timeline: Timeline, trace: TraceOptions);
    node(name: NodeId): SimulatedNode;
}
type CallName<T> = {
    [K in keyof T]: T[K] extends (...args: never[]) => Promise<unknown> ? K : never;
}[keyof T] & string;
type WatchName<T> = {
    [K in keyof T]: T[K] extends (...args: never[]) => Disposable ? K : never;
}[keyof T] & string;
interface RemoteOptions<T> {
    caller: NodeId;
    service: NodeId;
    calls: readonly CallName<T>[];
    watches: readonly WatchName<T>[];
    unavailable: (detail: string) => Error;
}
declare class StoredFile {
    #private;
    get length(): number;
    get unsyncedBytes(): number;
    write(offset: number, bytes: Uint8Array, roomBytes: number): void;
    read(offset: number, length: number): Uint8Array;
    truncate(sizeBytes: number): void;
    sync(): void;
    loseUnsynced(survivingBytes: number): void;
    flipBit(bit: number): void;
}
interface DiskLosses {
    files: number;
    torn: number;
    names: number;
}
declare class SimulatedDisk implements Disk {
    #private;
    readonly faults: DiskFaults;
    readonly losses: Readonly<DiskLosses>;
    constructor(world: World, node: SimulatedNode, faults?: Partial<DiskFaults>);
    open(path: string): Promise<DiskFile>;
    rename(from: string, to: string): Promise<void>;
    remove(path: string): Promise<void>;
    list(path: string): Promise<string[]>;
    syncFolder(path: string): Promise<void>;
    usage(): Promise<{
        usedBytes: number;
        totalBytes: number;
    }>;
    get files(): Map<string, number>;
    corrupt(path: string, bit?: number): void;
    wipe(): void;
    crashed(): void;
    operate(what: string, path: string, errorProbability?: number, sync?: boolean): Promise<void>;
    checkSpace(bytes: number, path: string): void;
    hasSpace(bytes: number): boolean;
    rot(stored: StoredFile, offset: number, length: number): void;
}
interface Segment {
    bytes: number;
    arrive: () => void;
}
interface WireOptions {
    world: World;
    faults: NetworkFaults;
    random: Random;
    from: NodeId;
    to: NodeId;
    onCut: () => void;
}
declare class Wire {
    #private;
    constructor(options: WireOptions);
    get from(): NodeId;
    get to(): NodeId;
    send(segment: Segment): void;
    kill(): void;
}
interface SimulatedChannelOptions {
    world: World;
    node: NodeId;
    transport: Transport;
    localAddress: string;
    remoteAddress: string;
    onClosed: (channel: SimulatedChannel) => void;
}
declare class SimulatedChannel implements Channel {
    #private;
    readonly transport: Transport;
    readonly remoteAddress: string;
    readonly localAddress: string;
    readonly peerCertificate: undefined;
    readonly node: NodeId;
    constructor(options: SimulatedChannelOptions);
    join(peer: SimulatedChannel, wire: Wire): void;
    get queuedBytes(): number;
    get closed(): boolean;
    setSink(sink: ChannelSink): void;
    write(head: Uint8Array, body?: Uint8Array): boolean;
    pause(): void;
    resume(): void;
    close(): void;
    destroy(error?: Error): void;
    reset(): void;
    stall(): void;
    abandon(): void;
}
interface Endpoint {
    readonly node: NodeId;
    readonly kind: "stream" | "http";
    readonly accept?: (channel: Channel) => void;
    readonly handlers?: HttpHandlers;
    readonly open: Set<Channel>;
}
type ChannelPair = readonly [client: SimulatedChannel, server: SimulatedChannel];
declare class SimulatedHosts {
    #private;
    readonly faults: NetworkFaults;
    readonly world: World;
    constructor(world: World, faults?: Partial<NetworkFaults>);
    get openConnections(): number;
    cut(a: Nodes, b?: Nodes): number;
    stall(a: Nodes, b?: Nodes): number;
    refuse(node: NodeId, refused: boolean): void;
    isRefusing(node: NodeId): boolean;
    find(key: string): Endpoint | undefined;
    register(host: string, wantedPort: number, endpoint: Endpoint): number;
    unregister(host: string, port: number): void;
    crashed(node: NodeId, silently: boolean): void;
    pair(transport: Transport, client: NodeId, endpoint: Endpoint, address: string): ChannelPair;
}
type Receive = (from: NodeId, message: unknown) => void;
declare class SimulatedMessenger implements Messenger {
    #private;
    readonly faults: MessengerFaults;
    constructor(world: World, faults?: Partial<MessengerFaults>);
    attach(name: NodeId, receive: Receive): Disposable;
    send(from: NodeId, to: NodeId, message: unknown): void;
}
declare class SimulatedNetwork implements Network {
    #private;
    constructor(hosts: SimulatedHosts, node: NodeId);
    connect(address: Address, options?: ConnectOptions): Promise<Channel>;
    listen(options: ListenOptions, accept: (channel: Channel) => void): Promise<Listener>;
    listenHttp(options: ListenOptions, handlers: HttpHandlers): Promise<Listener>;
    fetch(request: Request): Promise<Response>;
}
interface SimulationOptions {
    seed: number;
    drain: () => Promise<void>;
    faults?: {
        messenger?: Partial<MessengerFaults>;
        network?: Partial<NetworkFaults>;
        disk?: Partial<DiskFaults>;
        clock?: Partial<ClockFaults>;
        remote?: Partial<RemoteFaults>;
    };
    startMs?: number;
    trace?: TraceOptions;
    eventsAtOnceMax?: number;
    codec?: Codec;
}
interface SimulatedRuntime extends ServerRuntime {
    readonly network: SimulatedNetwork;
    readonly disk: SimulatedDisk;
}
declare class Simulation {
    #private;
    readonly seed: number;
    readonly clock: Clock;
    readonly random: Random;
    readonly trace: Trace;
    readonly links: Links;
    readonly network: SimulatedHosts;
    readonly messenger: SimulatedMessenger;
    readonly remoteFaults: RemoteFaults;
    constructor(options: SimulationOptions);
    get elapsedMs(): number;
    get events(): number;
    runtimeFor(name: NodeId): SimulatedRuntime;
    diskOf(name: NodeId): SimulatedDisk;
    remote<T extends object>(target: T, options: RemoteOptions<T>): T;
    pause(name: NodeId): void;
    resume(name: NodeId): void;
    crash(name: NodeId, options?: {
        silent?: boolean;
    }): void;
    restart(name: NodeId): void;
    stateOf(name: NodeId): "running" | "paused" | "crashed";
    skew(name: NodeId, skewMs: number): void;
    run(durationMs: number): Promise<void>;
    until(condition: () => boolean, limitMs?: number): Promise<void>;
    finish<T>(promise: Promise<T>, limitMs?: number): Promise<T>;
}
interface SimulateOptions {
    faults?: SimulationOptions["faults"];
    cluster?: Omit<ClusterOptions, "runtime" | "metadataFor" | "storageFor" | "dataDir">;
    limitMs?: number;
    onLine?: (line: string) => void;
}
interface SimulatedWorld {
    readonly cluster: Cluster;
    readonly simulation: Simulation;
    readonly clock: Clock;
    readonly random: Random;
    client(node?: string, options?: Partial<PulsarClientOptions>): PulsarClient;
    sleep(ms: number): Promise<void>;
}
interface SimulatedRun<T> {
    readonly result: T;
    readonly hash: string;
    readonly simulatedMs: number;
}
declare function simulate<T>(seed: number, test: (world: SimulatedWorld) => Promise<T>, options?: SimulateOptions): Promise<SimulatedRun<T>>;
export { TestCluster, TestClusterOptions, simulate, useTestCluster };
export type { SimulateOptions, SimulatedRun, SimulatedWorld, TestHooks };
