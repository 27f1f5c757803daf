import { explain } from './explain.js';

const failed = (code: string) => Object.assign(new Error(`${code}: open '/checkout/.local/x'`), { code });

describe('explain', () => {
  it.each([
    ['EACCES', 'sudo chown -R "$(id -un)" /checkout/.local'],
    ['EROFS', 'read-only disk'],
    ['ENOSPC', 'Free some space'],
  ])('adds advice to the system error %s', (code, wayOut) => {
    const [reason, advice] = explain(failed(code), '/checkout/.local').split('\n');
    expect(reason).toBe(`${code}: open '/checkout/.local/x'`);
    expect(advice).toContain(wayOut);
  });

  it('suggests another PORT if an error or log message says that one is taken', () => {
    const log = new Error('redis ended while starting (exit code 1)\nbind: Address already in use');
    for (const error of [failed('EADDRINUSE'), log])
      expect(explain(error, '/x')).toContain(`${error.message}\nAnother program took a port`);
    expect(explain(log, '/x')).toContain('PORT=8090 npm start');
  });

  it('returns other messages unchanged', () => {
    expect(explain(new Error('PORT: say a number'), '/x')).toBe('PORT: say a number');
    expect(explain('gone', '/x')).toBe('gone');
  });
});
