import type { ClientTlsOptions } from "@pulsewire/runtime";
import type { BoundAuthentication } from "../auth/authentication.ts";
import type { ServiceUrl } from "./service-url.ts";

/** The cluster a client talks to, and who it is there. Another one when a service-URL provider says so. */
export class CurrentService {
  serviceUrl: ServiceUrl;
  authentication: BoundAuthentication | undefined;
  readonly tls: ClientTlsOptions | undefined;

  constructor(
    serviceUrl: ServiceUrl,
    authentication: BoundAuthentication | undefined,
    tls: ClientTlsOptions | undefined,
  ) {
    this.serviceUrl = serviceUrl;
    this.authentication = authentication;
    this.tls = tls;
  }
}
