import { setTimeout as pause } from 'node:timers/promises';
import { inTurns, until } from '@meetmark/testing';
import { AT_PEAK, press, Rush } from './catalogue/overload.js';
import { withoutMail } from './invariants.js';
import { Ledger } from './ledger.js';
import { Load } from './load.js';
import { ProcessWatch } from './process-watch.js';
import type { Rig } from './rig.js';

const USUAL_LOAD = 5_000;
const PEAK = 5_000;
const MAILED_WITHIN = 60_000;
const SIGN_INS_AT_ONCE = 4;

export async function warmUp(rig: Rig): Promise<ProcessWatch> {
  await press(await Rush.begin(rig), AT_PEAK, PEAK);
  const ledger = new Ledger();
  const load = await Load.begin(rig, ledger);
  await pause(USUAL_LOAD);
  await load.stop();
  // The first fault may be a slow mail server, so the emails of the warm-up must be sent before.
  await until(
    'the mails with the codes',
    MAILED_WITHIN,
    async () => withoutMail(rig.sink, ledger).length === 0,
  );
  await inTurns([...rig.members, ...rig.members], SIGN_INS_AT_ONCE, (member) => rig.signIn(member));
  return ProcessWatch.learn(rig.stack.stack.replicas);
}
