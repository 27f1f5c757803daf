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

  it('is told as it stands when it is our own sentence, or none of ours', () => {
    expect(explain(new Error('PORT: say a number'), '/x')).toBe('PORT: say a number');
    expect(explain('gone', '/x')).toBe('gone');
  });
});
