import { verdictOf } from './audit.js';

const counts = (total: number) => ({ metadata: { vulnerabilities: { total } } });

describe('an audit of the packages', () => {
  it('passes without known faults, and with small ones', () => {
    const small = { vulnerabilities: { sample: { severity: 'moderate', range: '<2' } } };
    expect(verdictOf(counts(0))).toBe('0 known, none of them serious');
    expect(verdictOf({ ...counts(1), ...small })).toBe('1 known, none of them serious');
  });

  it.each(['high', 'critical'])('fails for one that is %s, and names the package', (severity) => {
    const found = { vulnerabilities: { sample: { severity, range: '<2' } } };
    expect(() => verdictOf({ ...counts(1), ...found })).toThrow(`sample <2: ${severity}`);
  });

  it('says so when the registry does not answer', () => {
    expect(verdictOf({ message: '405 Method Not Allowed' })).toBe(
      'not checked: the registry answers no audit (405 Method Not Allowed)',
    );
  });
});
