import { a as ClientRuntime } from './types-runtime.d.js';
interface ClientCertificate {
    readonly cert: string;
    readonly key: string;
}
interface Authentication {
    readonly methodName: string;
    authData(challenge?: Uint8Array, runtime?: ClientRuntime): Uint8Array | string | Promise<Uint8Array | string>;
    certificate?(runtime: ClientRuntime): ClientCertificate | Promise<ClientCertificate>;
}
declare function tokenAuthentication(token: string | (() => string | Promise<string>)): Authentication;
declare function basicAuthentication(options: {
    userId: string;
    password: string;
}): Authentication;
export { basicAuthentication as b, tokenAuthentication as t };
export type { Authentication as A, ClientCertificate as C };
