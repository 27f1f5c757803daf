import { explain } from './explain.js';

const failed = (code: string) => Object.assign(new Error(`${code}: open '/checkout/.local/x'`), { code });

describe('what ended a start', () => {
  it.each([
    ['EACCES', 'sudo chown -R "$(id -un)" /checkout/.local'],
    ['EROFS', 'cannot be written to'],
    ['ENOSPC', 'make room'],
  ])('is told with a way out when the system says %s', (code, wayOut) => {
    const [reason, advice] = explain(failed(code), '/checkout/.local').split('\n');
    expect(reason).toBe(`${code}: open '/checkout/.local/x'`);
    expect(advice).toContain(wayOut);
  });

  it('is told with the variable to set when a port was taken, also by the log of a server', () => {
    const log = new Error('redis ended while starting (exit code 1)\nbind: Address already in use');
    for (const error of [failed('EADDRINUSE'), log])
      expect(explain(error, '/x')).toContain(`${error.message}\nAnother program has taken a port`);
    expect(explain(log, '/x')).toContain('PORT=8090 npm start');
  });

  it('is told as it stands when it is our own sentence, or none of ours', () => {
    expect(explain(new Error('PORT: say a number'), '/x')).toBe('PORT: say a number');
    expect(explain('gone', '/x')).toBe('gone');
  });
});
