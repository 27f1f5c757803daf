import type { ProcessName } from '@meetmark/scripts/stack/processes';
import { setTimeout as pause } from 'node:timers/promises';
import type { Member } from '../caller.js';
import { ask } from '../load.js';
import { MEMBERS } from '../rig.js';
import type { Scenario, Fault } from '../trial.js';

const AFTER_A_KILL = 4_000;
const ALL_GONE = 5_000;
const FROZEN = { thorough: 20_000, short: 8_000 };
/**
 * Milliseconds of suspension: longer than the deadline of a Redis command, but shorter than that of a
 * request.
 */
const STOOD_STILL = 2_300;
const BETWEEN = 200;
/** Maximum milliseconds in which a process must end by itself. After 20 seconds, `stop` kills it. */
const ENDS_WITHIN = 19_000;

export const gatewayKilled: Fault = {
  id: 'F1',
  title: 'kill -9 of one gateway of two',
  recoverWithin: 1_000,
  touches: ['gateway'],
  load: true,
  mostFailures: MEMBERS,
  async run({ rig, healed }) {
    await rig.stack.stack.kill('gateway', 1, 'SIGKILL');
    healed();
    await pause(AFTER_A_KILL);
    await rig.stack.stack.restart('gateway', 1);
  },
};

export const replicaKilled: Fault = {
  id: 'F2',
  title: 'kill -9 of one replica of events and one of auth',
  recoverWithin: 1_000,
  touches: ['events', 'auth'],
  load: true,
  mostFailures: MEMBERS,
  refusesWithin: 3_200,
  async run({ rig, healed }) {
    const { stack } = rig.stack;
    await Promise.all([stack.kill('events', 1, 'SIGKILL'), stack.kill('auth', 1, 'SIGKILL')]);
    healed();
    await pause(AFTER_A_KILL);
    await Promise.all([stack.restart('events', 1), stack.restart('auth', 1)]);
  },
};

export const serviceGone: Fault = {
  id: 'F3',
  title: 'kill -9 of every replica of events, back after 5 s',
  recoverWithin: 3_000,
  touches: ['events'],
  load: true,
  felt: true,
  refusesWithin: 3_200,
  async run({ rig, ledger, healed, broken }) {
    const { stack } = rig.stack;
    const replicas = stack.replicas.filter(({ name }) => name === 'events');
    // Uses another administrator. A sign-in would end the rig administrator's session, which the load uses.
    const [administrator] = (await rig.newcomers(1, true)) as [Member];
    await Promise.all(replicas.map(({ process }) => process.kill('SIGKILL')));
    const until = Date.now() + ALL_GONE;
    while (Date.now() < until) {
      await rig.signIn(administrator);
      const chart = () => administrator.send('GET', '/api/admin/registration-activity');
      if ((await ask(ledger, 'chart', chart)) !== 'ok') broken('admin does not answer while events is away');
      await pause(BETWEEN);
    }
    await stack.restart('events', 0);
    healed();
    await Promise.all(replicas.slice(1).map(({ index }) => stack.restart('events', index)));
  },
};

/** F6: a rolling deployment. The load balancer and the process learn about a stop at the same time. */
export const rollingDeploy: Fault = {
  id: 'F6',
  title: 'SIGTERM of each process in turn, under load',
  recoverWithin: null,
  touches: ['gateway', 'auth', 'events', 'admin', 'worker'],
  load: true,
  mostFailures: 0,
  async run({ rig, broken, thorough }) {
    const rolled = new Set<ProcessName>();
    for (const { name, process, publicUrl } of rig.stack.stack.replicas) {
      if (!thorough && rolled.has(name)) continue;
      rolled.add(name);
      // Like a load balancer, sends nothing to a gateway that stops. The only replica of admin may stop,
      // because the load doesn't call it.
      if (publicUrl !== undefined) rig.gateways.takeOut(publicUrl);
      const began = Date.now();
      await process.stop();
      if (Date.now() - began > ENDS_WITHIN) broken(`${process.name} did not end by itself`);
      await process.start();
      if (publicUrl !== undefined) rig.gateways.putBack(publicUrl);
    }
  },
};

/** F7a: a replica is suspended (a zombie) and resumes long after its requests were refused. */
export const frozenReplica: Fault = {
  id: 'F7a',
  title: 'SIGSTOP of a replica of events, SIGCONT much later',
  recoverWithin: 1_000,
  touches: [],
  holdsUp: ['events'],
  load: true,
  async run({ rig, healed, thorough }: Scenario) {
    const { pid } = rig.stack.stack.replica('events', 1).process;
    process.kill(pid, 'SIGSTOP');
    await pause(thorough ? FROZEN.thorough : FROZEN.short);
    process.kill(pid, 'SIGCONT');
    healed();
    await pause(AFTER_A_KILL);
  },
};

/** F7b: a gateway is suspended briefly, as on a busy machine. Replies that arrive meanwhile still count. */
export const frozenGateway: Fault = {
  id: 'F7b',
  title: 'SIGSTOP of each gateway in turn, SIGCONT 2.3 s later',
  recoverWithin: null,
  touches: [],
  holdsUp: ['gateway'],
  load: true,
  mostFailures: 0,
  async run({ rig }) {
    for (const { name, process: gateway } of rig.stack.stack.replicas) {
      if (name !== 'gateway') continue;
      process.kill(gateway.pid, 'SIGSTOP');
      await pause(STOOD_STILL);
      process.kill(gateway.pid, 'SIGCONT');
      await pause(AFTER_A_KILL);
    }
  },
};
