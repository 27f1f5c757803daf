import { setTimeout as pause } from 'node:timers/promises';
import { joinStandby } from '../standby.js';
import type { Fault } from '../trial.js';

/** Milliseconds in which places are taken that only the standby will know of. */
const TOGETHER = 2_000;

/** F16. The old primary never comes back: what it alone had would be lost. */
export const failover: Fault = {
  id: 'F16',
  title: 'kill -9 of PostgreSQL, its synchronous standby is promoted and takes over',
  recoverWithin: 10_000,
  touches: [],
  load: true,
  async run({ rig, healed }) {
    const standby = await joinStandby(rig);
    await pause(TOGETHER);
    await rig.server('postgres').kill('SIGKILL');
    await rig.moveDatabaseTo(standby);
    await rig.owner.query('SELECT pg_promote()');
    healed();
  },
};
