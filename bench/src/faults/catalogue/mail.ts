import { setTimeout as pause } from 'node:timers/promises';
import { inTurns } from '@meetmark/testing';
import { withoutMail } from '../invariants.js';
import { askForCode } from '../load.js';
import type { Scenario, Fault } from '../trial.js';

const SLOW_SMTP = 4_000;
const RUN_AGAIN_WITHIN = 15_000;
const LOST_NEVER_WITHIN = 60_000;
const PATIENCE = 60_000;
const LOOK_EVERY = 50;
const MAILS = 2;
const KILLS = 3;
const REFUSED = { thorough: 10_000, short: 4_000 };

const mailFault = (fault: Pick<Fault, 'id' | 'title' | 'run'>): Fault => ({
  recoverWithin: null,
  touches: ['worker'],
  load: false,
  ...fault,
});

async function waitFor(what: string, holds: () => boolean, within = PATIENCE): Promise<number> {
  const began = Date.now();
  while (!holds()) {
    if (Date.now() - began > within) throw new Error(`${what} within ${within} ms`);
    await pause(LOOK_EVERY);
  }
  return Date.now() - began;
}

/** Sends two emails, one per worker, and returns while both wait for the mail server's response. */
async function mailsInHand({ rig, ledger }: Scenario): Promise<string[]> {
  const idle = () => rig.sink.received.length;
  let seen = -1;
  // Waits until the emails of the previous fault have been sent.
  while (seen !== idle()) {
    seen = idle();
    await pause(1_000);
  }
  rig.sink.slowness = SLOW_SMTP;
  const addresses = await rig.strangers(MAILS);
  await inTurns(addresses, MAILS, (email) => askForCode(ledger, rig.administrator, email));
  await waitFor('both mails are being sent', () => addresses.every((email) => rig.sink.to(email).length > 0));
  return addresses;
}

export const workerKilled = mailFault({
  id: 'F4',
  title: 'kill -9 of a worker while the mail server is slow',
  async run(scenario) {
    const { rig, broken, allowMailCopy } = scenario;
    const addresses = await mailsInHand(scenario);
    await rig.stack.stack.kill('worker', 0, 'SIGKILL');
    rig.sink.slowness = 0;
    allowMailCopy();
    const again = () => addresses.some((email) => rig.sink.to(email).length > 1);
    const took = await waitFor('the mail is sent again', again, LOST_NEVER_WITHIN);
    if (took > RUN_AGAIN_WITHIN) broken(`run again after ${took} ms, ${RUN_AGAIN_WITHIN} are promised`);
    await rig.stack.stack.restart('worker', 0);
  },
});

export const workerKilledThrice = mailFault({
  id: 'F5',
  title: 'kill -9 of the worker three times on the same mail',
  async run(scenario) {
    const { rig, allowMailCopy } = scenario;
    const { stack } = rig.stack;
    await stack.replica('worker', 1).process.stop();
    rig.sink.slowness = SLOW_SMTP;
    const [address = ''] = await rig.strangers(1);
    await askForCode(scenario.ledger, rig.administrator, address);
    for (let kill = 1; kill <= KILLS; kill += 1) {
      await waitFor(`attempt ${kill}`, () => rig.sink.to(address).length >= kill);
      await stack.kill('worker', 0, 'SIGKILL');
      allowMailCopy();
      await stack.restart('worker', 0);
    }
    rig.sink.slowness = 0;
    await waitFor('the mail is sent in the end', () => rig.sink.to(address).length > KILLS);
    await stack.restart('worker', 1);
  },
});

/** F18: the mail server fails, but members don't notice. */
export const mailServerDown: Fault = {
  id: 'F18',
  title: 'the mail server refuses, asks to come back later, is slow, then hangs up after the mail',
  recoverWithin: null,
  touches: [],
  load: true,
  mostFailures: 0,
  async run({ rig, ledger, broken, allowMailCopy, thorough }) {
    const each = thorough ? REFUSED.thorough : REFUSED.short;
    await rig.smtp.set({ kind: 'down' });
    await pause(each);
    await rig.smtp.set({ kind: 'pass' });
    rig.sink.manners = 'not-now';
    await pause(each);
    Object.assign(rig.sink, { manners: 'take', slowness: SLOW_SMTP });
    await pause(each);
    rig.sink.slowness = 0;
    const before = rig.sink.received.length;
    rig.sink.manners = 'take-and-hang-up';
    await pause(each / 2);
    rig.sink.manners = 'take';
    // The mail server accepted each of these emails, but hung up before confirming it. The worker must send
    // it again.
    const copies = rig.sink.received.length - before;
    if (copies === 0) broken('no mail was taken without a word');
    for (let copy = 0; copy < copies; copy += 1) allowMailCopy();
    // The load keeps requesting emails, so this waits only for those requested so far.
    const owed = new Set(withoutMail(rig.sink, ledger));
    await waitFor('all mails are out', () => !withoutMail(rig.sink, ledger).some((email) => owed.has(email)));
  },
};
