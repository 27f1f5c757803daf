import { readableLine } from './readable-log.js';

describe('log lines at the terminal', () => {
  it('are short for warnings and errors, by number or by name', () => {
    expect(readableLine('{"level":40,"msg":"Redis is slow"}')).toBe('warning: Redis is slow');
    expect(readableLine('{"level":"error","msg":"It failed","err":{"message":"no route"}}')).toBe(
      'error: It failed: no route',
    );
  });

  it('are left out when nothing is wrong', () => {
    expect(readableLine('{"level":30,"msg":"started"}')).toBeNull();
    expect(readableLine('{"level":"info","msg":"started"}')).toBeNull();
    expect(readableLine('  ')).toBeNull();
  });

  it('are passed on when they were written for people', () => {
    expect(readableLine('PORT must be a number')).toBe('PORT must be a number');
    expect(readableLine('{ not: json')).toBe('{ not: json');
  });
});
