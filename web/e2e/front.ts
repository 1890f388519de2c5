import net, { type AddressInfo } from 'node:net';

/** An address that is known before the start of its server, to which it passes connections. */
export type Front = { url: string; close: () => void };

const servers = new Map<string, string>(); // the address of the server behind each front

/** Opens a front for a server whose PUBLIC_URL is its address. */
export async function openFront(): Promise<Front> {
  const listener = net.createServer((client) => {
    const [host, port] = (servers.get(url) ?? '').split(':');
    const server = net.connect(Number(port), host);
    const end = () => {
      client.destroy();
      server.destroy();
    };
    for (const one of [client, server]) one.on('error', end).on('close', end);
    client.pipe(server).pipe(client);
  });
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(listener.address() as AddressInfo).port}`;
  return {
    url,
    close: () => {
      servers.delete(url);
      listener.close();
    },
  };
}

/** Passes the connections of the front with this address, if there is one, to the server. */
export function passTo(url: string, server: string): void {
  servers.set(url, server);
}
