import { createHistogram, performance as eventLoop } from 'node:perf_hooks';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { IDLE_TICK, onTicks, TICK } from '../redis/clock.js';

/** The metrics of this process. */
export const registry = new Registry();
const registers = [registry];
/** Bounds of how long a call or a request takes. */
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
  help: 'Messages rejected unstarted: signed by none of our processes, or a copy of one that was begun before',
  labelNames: ['reason'],
  registers,
});

export const rpcQueueLength = new Gauge({
  name: 'rpc_queue_length',
  help: 'Messages that wait in the queue of a service, as last seen by this caller',
  labelNames: ['service'],
  registers,
});

export const rpcOldestWaiting = new Gauge({
  name: 'rpc_oldest_waiting_seconds',
  help: 'For how long the oldest message in the queue of this service has been waiting',
  labelNames: ['service'],
  registers,
});

export const rpcReplicas = new Gauge({
  name: 'rpc_replicas',
  help: 'Living replicas of a service, as last seen by this caller',
  labelNames: ['service'],
  registers,
});

/** Milliseconds between two samples of the event loop's lag while the process works, which each sample includes. */
const LAG_SAMPLED_EVERY = 50;
/** Share of a tick in which a quiet process works: what holds its loop up holds it up for less than a sample takes. */
const QUIET = 0.05;
/** Milliseconds; never, for prom-client's own sampling. */
const NEVER = 2 ** 31 - 1;

/** Event-loop lag, memory, garbage collection. Call it once per process: it starts timers. */
export function collectProcessMetrics(): void {
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: NEVER });
  observeLag();
}

/**
 * The event loop's lag, under prom-client's names. Its sampling wakes a process all the time, for a fifth of a percent of a processor; ours does while the process works, and uses
 * the ticks, which come anyway, while it is quiet.
 */
function observeLag(): void {
  const lags = createHistogram();
  // nanoseconds
  const record = (late: number) => lags.record(Math.round((LAG_SAMPLED_EVERY + Math.max(0, late)) * 1e6));
  let sampling: NodeJS.Timeout | undefined;
  let before = eventLoop.eventLoopUtilization();
  const sample = () => {
    const due = performance.now() + LAG_SAMPLED_EVERY;
    sampling = setTimeout(() => {
      record(performance.now() - due);
      sample();
    }, LAG_SAMPLED_EVERY).unref();
  };
  const look = (late: number) => {
    const { utilization } = eventLoop.eventLoopUtilization(before);
    if (utilization >= QUIET) {
      if (sampling === undefined) sample();
    } else {
      clearTimeout(sampling);
      sampling = undefined;
      record(late);
    }
    before = eventLoop.eventLoopUtilization();
  };
  onTicks(TICK, look, IDLE_TICK);
  const gauges = (['min', 'max', 'mean', 'stddev', 50, 90, 99] as const).map((kind) => {
    const name = `nodejs_eventloop_lag_${typeof kind === 'number' ? `p${kind}` : kind}_seconds`;
    registry.removeSingleMetric(name);
    const gauge = new Gauge({ name, help: 'Of the lag of the event loop since the last look', registers });
    return () => gauge.set((typeof kind === 'number' ? lags.percentile(kind) : lags[kind]) / 1e9);
  });
  const first = registry.getSingleMetric('nodejs_eventloop_lag_min_seconds');
  Object.assign(first!, {
    collect: () => {
      if (lags.count === 0) return;
      gauges.forEach((read) => read());
      lags.reset();
    },
  });
}

/** Connections of the database pool, read when the metrics are fetched. */
export function observePool(pool: { totalCount: number; idleCount: number; waitingCount: number }): void {
  const states = {
    open: () => pool.totalCount,
    idle: () => pool.idleCount,
    waiting: () => pool.waitingCount,
  };
  registry.removeSingleMetric('database_pool');
  new Gauge({
    name: 'database_pool',
    help: 'Database connections open and idle, and queries waiting for one',
    labelNames: ['state'],
    registers,
    collect() {
      for (const [state, count] of Object.entries(states)) this.set({ state }, count());
    },
  });
}
