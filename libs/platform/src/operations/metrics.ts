import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

export const registry = new Registry();
const registers = [registry];
export const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 3, 5];

export const rpcCallSeconds = new Histogram({
  name: 'rpc_call_seconds',
  help: 'Calls to other processes as the caller sees them; outcome is ok or the error code',
  labelNames: ['service', 'message', 'outcome'],
  buckets: SECONDS,
  registers,
});

export const rpcHandledSeconds = new Histogram({
  name: 'rpc_handled_seconds',
  help: 'Messages as their handler sees them; outcome is ok or the error code',
  labelNames: ['message', 'outcome'],
  buckets: SECONDS,
  registers,
});

export const rpcDropped = new Counter({
  name: 'rpc_dropped_total',
  help: 'Messages dropped unstarted because their deadline had passed',
  labelNames: ['message'],
  registers,
});

export const rpcRejected = new Counter({
  name: 'rpc_rejected_total',
  help: 'Messages and replies dropped because no secret in RPC_SECRETS decrypts them',
  labelNames: ['reason'],
  registers,
});

export const rpcQueueLength = new Gauge({
  name: 'rpc_queue_length',
  help: 'Messages waiting in the queue of a service, as last seen by this caller',
  labelNames: ['service'],
  registers,
});

export const rpcOldestWaiting = new Gauge({
  name: 'rpc_oldest_waiting_seconds',
  help: 'Seconds that the oldest message in the queue of this service has waited',
  labelNames: ['service'],
  registers,
});

export const rpcReplicas = new Gauge({
  name: 'rpc_replicas',
  help: 'Live replicas of a service, as last seen by this caller',
  labelNames: ['service'],
  registers,
});

/** Interval in milliseconds for sampling the event loop's lag. Each measured lag includes the interval. */
const LAG_SAMPLED_EVERY = 50;

/** Call this once per process, because it starts timers. */
export const collectProcessMetrics = (): void =>
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: LAG_SAMPLED_EVERY });

export function observePool(pool: { totalCount: number; idleCount: number; waitingCount: number }): void {
  const states = {
    open: () => pool.totalCount,
    idle: () => pool.idleCount,
    waiting: () => pool.waitingCount,
  };
  registry.removeSingleMetric('database_pool');
  new Gauge({
    name: 'database_pool',
    help: 'Open and idle database connections, and queries waiting for one',
    labelNames: ['state'],
    registers,
    collect() {
      for (const [state, count] of Object.entries(states)) this.set({ state }, count());
    },
  });
}
