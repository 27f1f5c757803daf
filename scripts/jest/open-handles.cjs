const { setTimeout: pause } = require('node:timers/promises');

/** What a test leaves open has this long to close, in milliseconds. */
const PATIENCE_MS = Number(process.env.MEETMARK_CLOSING_MS ?? 10_000);
const POLL_MS = 20;
/** Ends by itself: one step of work that is under way, not something that stays open. */
const PASSING = /^(Immediate|CloseReq|TickObject|.*Req(Promise|Wrap)?)$/;

// Node opens the streams of a process when they are first asked for. Asked for here, they are open before any test.
void [process.stdout, process.stderr];

const open = () => {
  const kinds = new Map();
  for (const kind of process.getActiveResourcesInfo())
    if (!PASSING.test(kind)) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  return kinds;
};
const beyond = (before) =>
  [...open()]
    .filter(([kind, count]) => count > (before.get(kind) ?? 0))
    .map(([kind, count]) => `${count - (before.get(kind) ?? 0)} ${kind}`);

/** In one process with the run's servers (one test file, browser stories) theirs cannot be told from a test's: the end of the run shows those. */
const besideServers = () => (globalThis.meetmarkTestBroker ?? globalThis.meetmarkStack) !== undefined;

/** An environment in which a test file fails that leaves a timer, socket, server or process open. */
exports.closing = (Environment) =>
  class extends Environment {
    async setup() {
      this.openBefore = open();
      await super.setup();
    }

    async teardown() {
      await super.teardown();
      if (besideServers()) return;
      const end = Date.now() + PATIENCE_MS;
      while (beyond(this.openBefore).length > 0 && Date.now() < end) await pause(POLL_MS);
      const left = beyond(this.openBefore);
      if (left.length > 0)
        throw new Error(`Left open by this file: ${left.join(', ')}. Jest's --detectOpenHandles says where.`);
    }
  };

/** What Jest tells a worker when it has no more files for it: the message's first part (`CHILD_MESSAGE_END` of jest-worker). */
const END = 2;

/** A worker of Jest that does not end within half of the patience says why; the parent says only that there is one. */
function explainLateEnd() {
  const onMessage = ([kind]) => {
    if (kind !== END) return;
    process.removeListener('message', onMessage);
    const [began, used] = [performance.now(), process.cpuUsage()];
    const say = (what) => {
      const seconds = (performance.now() - began) / 1000;
      const { user, system } = process.cpuUsage(used);
      console.error(
        `${seconds.toFixed(1)} s after its last file, ${(user + system) / 1e6} s of them at work, a worker ${what}`,
      );
    };
    const late = () => {
      say(`is kept by ${process.getActiveResourcesInfo().join(', ')}`);
      process.once('exit', () => say('ends'));
    };
    setTimeout(late, PATIENCE_MS / 2).unref();
  };
  process.on('message', onMessage);
}
if (process.send !== undefined) explainLateEnd();

/** Ends a Jest that something keeps alive after its last test. The timer itself keeps nothing alive. */
exports.endOrFail = () =>
  setTimeout(() => {
    console.error(`Jest cannot end, still open: ${process.getActiveResourcesInfo().join(', ')}`);
    process.exit(1);
  }, 3 * PATIENCE_MS).unref();
