import { setTimeout as pause } from 'node:timers/promises';
import { until } from '@meetmark/testing';
import { Redis } from 'ioredis';
import { ask } from '../load.js';
import type { Member } from '../member.js';
import { joinReplica, joinStandby } from '../standby.js';
import type { Course, Fault } from '../trial.js';

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

/** Milliseconds. */
const NOTICED_WITHIN = 10_000;
const WATCHED_FOR = 3_000;
const BETWEEN = 50;
const OK = 200;
const UNAUTHORIZED = 401;
/** Both gateways have been asked. */
const SEVERAL = 6;

/** F16b. What was acknowledged while the replica followed no more is in PostgreSQL alone. */
export const redisFailover: Fault = {
  id: 'F16b',
  title:
    'a replica of Redis is promoted, somebody signs out and an administrator is demoted, the old primary dies',
  recoverWithin: null,
  touches: [],
  load: false,
  async run(course) {
    const { rig, healed, broken } = course;
    const [leaver, demoted] = [...(await rig.newcomers(1, false)), ...(await rig.newcomers(1, true))] as [
      Member,
      Member,
    ];
    await rig.signIn(rig.administrator); // what follows wants a fresh one
    const server = await joinReplica(rig);
    for (const member of [leaver, demoted]) for (let i = 0; i < SEVERAL; i += 1) await whoIs(member);
    const [primary, replica] = [new Redis(rig.redisUrl), new Redis(server.url)];
    try {
      // a write of this connection's own, which is behind all before it
      await primary.set('faults:in-step', '1', 'PX', NOTICED_WITHIN);
      if ((await primary.wait(1, NOTICED_WITHIN)) !== 1) broken('hollow: the replica does not follow');
      await replica.replicaof('NO', 'ONE');
    } finally {
      primary.disconnect();
      replica.disconnect();
    }
    const change = `/api/admin/users/${demoted.id}/toggle-admin`;
    const { administrator } = rig;
    const done = [
      await ask(course.ledger, 'sign out', () => leaver.send('POST', '/api/logout')),
      await ask(course.ledger, 'demote', () => administrator.send('PUT', change, { isAdmin: false })),
    ];
    if (done.some((outcome) => outcome !== 'ok')) broken('hollow: the sign-out or the demotion was refused');
    await rig.server('redis').kill('SIGKILL');
    rig.moveRedisTo(server);
    healed();
    await until('an answer', NOTICED_WITHIN, async () => (await whoIs(demoted)) !== 'unknown');
    await watch(course, leaver, demoted);
  },
};

/** Nobody may be what they were, at either gateway. */
async function watch({ broken }: Course, leaver: Member, demoted: Member): Promise<void> {
  const end = Date.now() + WATCHED_FOR;
  while (Date.now() < end) {
    if ((await whoIs(leaver)) === 'member') broken('who had signed out is signed in');
    const right = await whoIs(demoted);
    if (right === 'administrator') broken('who had been demoted is an administrator');
    if (right === 'nobody') broken('who had been demoted is signed out');
    const { status } = await demoted.send('GET', '/api/admin/users?limit=1');
    if (status === OK) broken('who had been demoted sees the users');
    await pause(BETWEEN);
  }
}

/** Not in the ledger, where a 401 is a fault. */
async function whoIs(member: Member) {
  const { status, body } = await member.send('GET', '/api/user');
  if (status === UNAUTHORIZED) return 'nobody';
  if (status !== OK) return 'unknown';
  return (body as { isAdmin: boolean }).isAdmin ? 'administrator' : 'member';
}
