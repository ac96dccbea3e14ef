// The far end of a bare socket: reads whatever comes. Prints its port.
import { createServer } from "node:net";

const server = createServer((socket) => {
  socket.on("data", () => undefined);
  socket.on("error", () => socket.destroy());
});
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  console.log(typeof address === "object" && address !== null ? address.port : 0);
});
