import { lastVisit } from './last-visit';

const at = (hour: number, minute = 0) => Date.UTC(2030, 4, 1, hour, minute);

describe('The last visit', () => {
  beforeEach(() => localStorage.clear());

  it('stays the same during a visit, and is separate for each member', () => {
    expect(lastVisit('ada', at(8))).toBeNull();
    expect(lastVisit('ada', at(8, 30))).toBeNull();
    const first = new Date(at(8, 30)).toISOString();
    expect([lastVisit('ada', at(12)), lastVisit('ada', at(12, 59)), lastVisit('ada', at(13, 30))]).toEqual([
      first,
      first,
      first,
    ]);
    expect(lastVisit('bea', at(13, 30))).toBeNull();
    expect(lastVisit('ada', at(20))).toBe(new Date(at(13, 30)).toISOString());
  });

  it('is null when the stored time is invalid', () => {
    localStorage.setItem('visits:ada', 'yesterday or so');
    expect(lastVisit('ada', at(8))).toBeNull();
  });
});
