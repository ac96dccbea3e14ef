// The layering of ARCHITECTURE.md, checked. A room may import itself and what stands to its right.
const server = "^packages/server/src";

/** Tests and what only tests use may reach everywhere. */
const tests = ["\\.test\\.ts$", "-fixture\\.ts$", "^packages/client/src/testing/"];

/** Rooms of the server in the order a message meets them; each may import those after it, never those before it. */
const path = [
  "listeners",
  "broker/connection",
  "broker/topic",
  "broker/subscription",
  "broker/dispatch",
  "managed-ledger",
  "bookkeeper/client",
  "bookkeeper/wire",
];

// subscription and dispatch are two sides of one thing and know each other
const mayKnow = { "broker/dispatch": ["broker/subscription"] };

const backwards = path.flatMap((room, i) =>
  path
    .slice(0, i)
    .filter((earlier) => !(mayKnow[room] ?? []).includes(earlier))
    .map((earlier) => ({
      name: `${room} must not reach back to ${earlier}`.replaceAll("/", "-"),
      severity: "error",
      from: { path: `${server}/${room}/`, pathNot: tests },
      to: { path: `${server}/${earlier}/` },
    })),
);

module.exports = {
  forbidden: [
    ...backwards,
    {
      name: "no-circular",
      severity: "error",
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ["type-only"] } },
    },
    {
      name: "protocol-is-pure",
      comment: "bytes to commands and back: no port, no platform",
      severity: "error",
      from: { path: "^protocol/src" },
      to: { path: "^(packages|test)/" },
    },
    {
      name: "runtime-knows-nobody",
      severity: "error",
      from: { path: "^packages/runtime/src" },
      to: { path: "^(protocol|packages/(client|server|simulator)|test)/" },
    },
    {
      name: "platform-only-in-adapters",
      comment: "node:* and what touches the platform live in runtime/src/node and in the CLI",
      severity: "error",
      from: {
        path: "^(protocol|packages)/",
        pathNot: [
          "^packages/runtime/src/node/",
          `${server}/cli`,
          // the official client's API has Buffers and paths of files in it
          "^packages/client/src/compat/platform\\.ts$",
          ...tests,
          "/scripts/",
        ],
      },
      to: { dependencyTypes: ["core"] },
    },
    {
      name: "adapters-only-at-the-edge",
      severity: "error",
      from: {
        path: "^packages/",
        pathNot: [
          "^packages/runtime/",
          // the entries of the client and of its subpaths bring the platform along
          "^packages/client/src/(admin/)?(index|browser)\\.ts$",
          "^packages/client/src/compat/node-client\\.ts$",
          `${server}/cluster/`,
          `${server}/testing/(platform|msw-browser|page-runtime)\\.ts$`,
          `${server}/cli`,
          ...tests,
        ],
      },
      to: { path: "^packages/runtime/src/(node|web)/" },
    },
    {
      name: "client-and-server-are-strangers",
      severity: "error",
      from: { path: "^packages/client/src" },
      to: { path: server },
    },
    {
      name: "server-and-client-are-strangers",
      severity: "error",
      // the testing kit brings a client along
      from: { path: server, pathNot: [`${server}/cli`, `${server}/testing/`] },
      to: { path: "^packages/client/" },
    },
    {
      name: "simulator-only-in-tests",
      severity: "error",
      from: { path: "^packages/(client|server|runtime)/src", pathNot: [...tests, `${server}/testing/`] },
      to: { path: "^packages/simulator/" },
    },
    {
      name: "managed-ledger-alone-opens-ledgers",
      severity: "error",
      from: {
        path: server,
        // the entry names errors; it opens nothing
        pathNot: [`${server}/(managed-ledger|bookkeeper|cluster|admin|metrics)/`, `${server}/index\\.ts$`, ...tests],
      },
      to: { path: `${server}/bookkeeper/` },
    },
    {
      name: "bookie-and-its-client-meet-on-the-wire",
      severity: "error",
      from: { path: `${server}/bookkeeper/client/`, pathNot: tests },
      to: { path: `${server}/bookkeeper/bookie/` },
    },
    {
      name: "client-of-bookies-and-bookie-meet-on-the-wire",
      severity: "error",
      from: { path: `${server}/bookkeeper/bookie/`, pathNot: tests },
      to: { path: `${server}/bookkeeper/client/` },
    },
    { name: "no-unresolvable", severity: "error", from: {}, to: { couldNotResolve: true } },
    {
      name: "no-undeclared-dependency",
      severity: "error",
      from: { path: "^(protocol|packages)/", pathNot: [...tests, "/scripts/"] },
      // a peer is declared too; here it is installed for the tests
      to: {
        dependencyTypes: ["npm-no-pkg", "npm-unknown", "npm-dev"],
        dependencyTypesNot: ["npm-peer", "npm-optional"],
      },
    },
  ],
  options: {
    doNotFollow: { path: ["node_modules", "/gen/"] },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["source", "import", "node", "default"] },
  },
};
