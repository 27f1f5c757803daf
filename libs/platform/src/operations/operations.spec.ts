import { OperationsServer } from './operations.server.js';
import { Readiness } from './readiness.js';

describe('the operations port', () => {
  let readiness: Readiness;
  let server: OperationsServer;
  let origin: string;
  let redis: () => Promise<void>;

  beforeEach(async () => {
    redis = () => Promise.resolve();
    readiness = new Readiness();
    readiness.add('postgres', () => Promise.resolve());
    readiness.add('redis', () => redis());
    server = new OperationsServer(readiness);
    origin = `http://127.0.0.1:${await server.listen(0, '127.0.0.1')}`;
  });
  afterEach(() => server.close());

  const get = async (path: string) => {
    const response = await fetch(origin + path);
    return { status: response.status, body: (await response.json()) as object };
  };

  it('reports the process as alive even if a dependency fails', async () => {
    redis = () => Promise.reject(new Error('gone'));
    for (const path of ['/livez', '/healthz'])
      expect(await get(path)).toEqual({ status: 200, body: { status: 'alive' } });
  });

  it('fails the liveness check when the process needs a restart', async () => {
    let deaf = false;
    readiness.restartWhen('the queue is no longer read', () => deaf);
    expect((await get('/livez')).status).toBe(200);
    deaf = true;
    expect(await get('/livez')).toEqual({
      status: 503,
      body: { status: 'hopeless', problems: ['the queue is no longer read'] },
    });
  });

  it('reports readiness once the process has started', async () => {
    expect(await get('/readyz')).toEqual({ status: 503, body: { status: 'starting', problems: {} } });
    readiness.started();
    expect(await get('/readyz')).toEqual({ status: 200, body: { status: 'ready', problems: {} } });
  });

  it.each<[string, () => Promise<void>, string]>([
    ['fails', () => Promise.reject(new Error('connection refused')), 'connection refused'],
    ['never answers', () => new Promise(() => undefined), 'does not answer'],
  ])('names a dependency in the readiness report if it %s', async (_, answer, problem) => {
    readiness.started();
    redis = answer;
    expect(await get('/readyz')).toEqual({
      status: 503,
      body: { status: 'unavailable', problems: { redis: problem } },
    });
  });

  it('reports a stopping process as stopping, not as ready', async () => {
    readiness.started();
    readiness.stopping();
    readiness.started();
    expect(await get('/readyz')).toMatchObject({ status: 503, body: { status: 'stopping' } });
  });

  it('serves metrics in the Prometheus format, and answers other paths with 404', async () => {
    const response = await fetch(`${origin}/metrics`);
    expect(response.headers.get('content-type')).toContain('text/plain');
    expect(await response.text()).toContain('# TYPE rpc_call_seconds histogram');
    expect((await get('/')).status).toBe(404);
  });
});
