import type { ApiClient } from '@meetmark/testing/http-client';

/** Connection errors after which a proxy would send a GET to the next server. */
const MAY_REPEAT =
  /^(ECONNREFUSED|EHOSTUNREACH|UND_ERR_CONNECT_TIMEOUT|ENETUNREACH|ECONNRESET|UND_ERR_SOCKET)$/;

/**
 * Requests a path at a fixed rate. If a server refuses the connection, tries the next one, as a proxy would.
 */
export function startReading(member: ApiClient, path: string, everyMs: number, urls: () => string[]) {
  const traffic = { answered: 0, dropped: [] as string[], turnedAway: 0 };
  const pending: Promise<void>[] = [];
  const start = performance.now();
  const read = async (turn: number) => {
    const targets = urls();
    for (let attempt = 0; attempt < targets.length; attempt++) {
      try {
        const { status, body } = await member.at(targets[(turn + attempt) % targets.length]!).get(path);
        if (status < 500) traffic.answered += 1;
        else traffic.dropped.push(`${status} ${JSON.stringify(body)}`);
        return;
      } catch (error) {
        const code = (error as { cause?: { code?: string } }).cause?.code ?? String(error);
        if (!MAY_REPEAT.test(code)) return void traffic.dropped.push(code);
        traffic.turnedAway += 1;
      }
    }
    traffic.dropped.push('no gateway accepts connections');
  };
  const clock = setInterval(() => {
    while (pending.length * everyMs < performance.now() - start) pending.push(read(pending.length));
  }, everyMs);
  return {
    async stop() {
      clearInterval(clock);
      await Promise.all(pending);
      return traffic;
    },
  };
}
