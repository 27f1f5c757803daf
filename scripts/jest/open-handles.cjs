const { setTimeout: pause } = require('node:timers/promises');

/** Milliseconds to wait for a spec file's open handles to close. */
const PATIENCE_MS = Number(process.env.MEETMARK_CLOSING_MS ?? 10_000);
const POLL_MS = 20;
/** Kinds of resources that end by themselves. */
const PASSING = /^(Immediate|CloseReq|TickObject|.*Req(Promise|Wrap)?)$/;

// Creates these streams now. Otherwise, Node would create them during the first test that uses them.
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

/** Whether the test servers run in this process. Their open handles would be blamed on the spec file. */
const besideServers = () => (globalThis.meetmarkTestBroker ?? globalThis.meetmarkStack) !== undefined;

/** Returns a test environment that fails a spec file if timers, sockets, servers or processes stay open. */
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

/** Type of the message with which Jest ends a worker (`CHILD_MESSAGE_END` of jest-worker). */
const END = 2;

/**
 * Prints what keeps this worker alive if it doesn't end soon after Jest's message. Jest doesn't report it.
 */
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

exports.endOrFail = () =>
  setTimeout(() => {
    console.error(`Jest cannot end, still open: ${process.getActiveResourcesInfo().join(', ')}`);
    process.exit(1);
  }, 3 * PATIENCE_MS).unref();
