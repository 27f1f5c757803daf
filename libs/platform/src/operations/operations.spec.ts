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

  it('tells that the process is alive, whatever its dependencies do', async () => {
    redis = () => Promise.reject(new Error('gone'));
    for (const path of ['/livez', '/healthz'])
      expect(await get(path)).toEqual({ status: 200, body: { status: 'alive' } });
  });

  it('asks for a new start when nothing else helps', async () => {
    let deaf = false;
    readiness.restartWhen('the queue is not heard any more', () => deaf);
    expect((await get('/livez')).status).toBe(200);
    deaf = true;
    expect(await get('/livez')).toEqual({
      status: 503,
      body: { status: 'hopeless', problems: ['the queue is not heard any more'] },
    });
  });

  it('tells that it is ready once it has started', async () => {
    expect(await get('/readyz')).toEqual({ status: 503, body: { status: 'starting', problems: {} } });
    readiness.started();
    expect(await get('/readyz')).toEqual({ status: 200, body: { status: 'ready', problems: {} } });
  });

  it('names the dependency that is not reachable', async () => {
    readiness.started();
    redis = () => Promise.reject(new Error('connection refused'));
    expect(await get('/readyz')).toEqual({
      status: 503,
      body: { status: 'unavailable', problems: { redis: 'connection refused' } },
    });
  });

  it('does not wait for a dependency that says nothing', async () => {
    readiness.started();
    redis = () => new Promise(() => undefined);
    expect(await get('/readyz')).toMatchObject({
      status: 503,
      body: { problems: { redis: 'does not answer' } },
    });
  });

  it('is not ready any more once it stops', async () => {
    readiness.started();
    readiness.stopping();
    readiness.started();
    expect(await get('/readyz')).toMatchObject({ status: 503, body: { status: 'stopping' } });
  });

  it('gives metrics that Prometheus reads', async () => {
    const response = await fetch(`${origin}/metrics`);
    expect(response.headers.get('content-type')).toContain('text/plain');
    expect(await response.text()).toContain('# TYPE rpc_call_seconds histogram');
  });

  it('knows nothing else', async () => {
    expect((await get('/')).status).toBe(404);
  });
});
