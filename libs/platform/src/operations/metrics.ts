import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

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

/** Milliseconds: between two samples of the event loop's lag, which each sample includes; between two looks whether there is work. */
const LAG = { sampled: 50, looked: 5_000 };
/** Share of its time in which an idle process works at most. */
const IDLE = 0.02;
/** Milliseconds. The samples of prom-client cannot rest. */
const NEVER = 2 ** 31 - 1;

/** Event-loop lag, memory, garbage collection. Call it once per process: it starts timers. */
export function collectProcessMetrics(looked: number = LAG.looked): void {
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: NEVER });
  collectLag(looked);
}

/** Samples only while the process works: they would be a fifth of the processor time of one that has nothing to do. */
function collectLag(looked: number): void {
  const lag = monitorEventLoopDelay({ resolution: LAG.sampled });
  lag.enable();
  const figures = {
    ...{ min: () => lag.min, max: () => lag.max, mean: () => lag.mean, stddev: () => lag.stddev },
    ...{ p50: () => lag.percentile(50), p90: () => lag.percentile(90), p99: () => lag.percentile(99) },
  };
  // as in prom-client, whose gauges these replace: the first that is collected takes all figures, and begins anew
  const take = () => {
    for (const { gauge, figure } of gauges) gauge.set(lag.count === 0 ? 0 : figure() / 1e9);
    lag.reset();
  };
  const gauges = Object.entries(figures).map(([name, figure], index) => {
    const metric = `nodejs_eventloop_lag_${name}_seconds`;
    registry.removeSingleMetric(metric);
    const help = `Delay of the event loop, ${name}; 0 while the process is idle`;
    return {
      figure,
      gauge: new Gauge({ name: metric, help, registers, collect: index === 0 ? take : undefined }),
    };
  });
  let before = performance.eventLoopUtilization();
  setInterval(() => {
    const { utilization } = performance.eventLoopUtilization(before);
    before = performance.eventLoopUtilization();
    if (utilization <= IDLE) lag.disable();
    else if (lag.enable()) lag.reset(); // else the first sample would take the rest for a lag
  }, looked).unref();
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
