import type { Replica } from '@meetmark/scripts/stack/replica';
import { until, inTurns } from '@meetmark/testing';
import { brokenSessions, codeIn, withoutMail } from '../invariants.js';
import { ask, askForCode, resetFlows } from '../load.js';
import type { Rig } from '../rig.js';
import type { Fault } from '../trial.js';

const CODES = 6;
const MAILED_WITHIN = 20_000;
const CLOCK_AHEAD = ['--import', new URL('../clock-ahead.js', import.meta.url).href];

/** F20, fourth part: if a clock is ahead, codes expire earlier, but new codes must still work. */
export const clockAhead: Fault = {
  id: 'F20d',
  title: 'the clocks of all of auth and of one replica of everything else are 10 minutes ahead',
  recoverWithin: 10_000,
  touches: ['gateway', 'auth', 'events', 'worker'],
  load: true,
  async run({ rig, ledger, healed, broken }) {
    const addresses = await rig.strangers(CODES);
    await inTurns(addresses, CODES, (email) => askForCode(ledger, rig.administrator, email));
    await until(
      'the mails with the codes',
      MAILED_WITHIN,
      async () => withoutMail(rig.sink, ledger).length === 0,
    );

    await restartInWaves(rig, CLOCK_AHEAD);
    const outcomes = await inTurns(addresses, 2, (email) => {
      const [mail] = rig.sink.to(email);
      const fields = { email, token: codeIn(mail), newPassword: 'another password' };
      const cookie = resetFlows.get(email) ?? '';
      return ask(ledger, 'reset', () =>
        rig.administrator.send('POST', '/api/reset-password', fields, { cookie }),
      );
    });
    const refused = outcomes.filter((outcome) => outcome !== 'ok').length;
    if (refused > 0) broken(`${refused} of ${CODES} codes were refused seconds after they were made`);
    for (const each of await brokenSessions(rig)) broken(each);
    // Excludes these email addresses from the checks, because the password change sent each a second email.
    for (const email of addresses) ledger.codes.delete(email);

    await restartInWaves(rig, []);
    healed();
  },
};

async function restartInWaves(rig: Rig, before: string[]): Promise<void> {
  const { replicas } = rig.stack.stack;
  const shifted = replicas.filter(({ name, index }) => name === 'auth' || (index === 1 && name !== 'admin'));
  const waves = [shifted.filter(({ index }) => index > 0), shifted.filter(({ index }) => index === 0)];
  for (const wave of waves) await Promise.all(wave.map((replica) => restart(rig, replica, before)));
}

/** Takes the gateway out of rotation before its process stops, like a load balancer. */
async function restart(rig: Rig, { process, publicUrl }: Replica, before: string[]): Promise<void> {
  if (publicUrl !== undefined) rig.gateways.takeOut(publicUrl);
  await process.restart(before);
  if (publicUrl !== undefined) rig.gateways.putBack(publicUrl);
}
