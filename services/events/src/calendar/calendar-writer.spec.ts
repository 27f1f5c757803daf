import { timeZoneRules } from './calendar-writer.js';

describe('time zone rules', () => {
  it.each(['Europe/London', 'America/New_York', 'Australia/Sydney', 'Asia/Kolkata'])(
    'are known for %s',
    (zone) => {
      expect(timeZoneRules(zone)).toContain(`TZID:${zone}`);
    },
  );

  it.each(['UTC', 'Nowhere/Town'])('are left out for %s, whose times are written in UTC', (zone) => {
    expect(timeZoneRules(zone)).toBeNull();
  });
});
