import { currentZoneName, formerZoneNames, zoneNames } from './zone-names.js';

const SEASONS = ['2027-01-15', '2027-07-15'].map((day) => new Date(`${day}T12:00Z`));
const clocks = (timeZone: string) =>
  SEASONS.map((moment) => moment.toLocaleString('en', { timeZone, dateStyle: 'short', timeStyle: 'short' }));

it.each([
  ['Europe/Kyiv', 'Europe/Kyiv'],
  ['Europe/Kiev', 'Europe/Kyiv'],
  ['Asia/Kolkata', 'Asia/Kolkata'],
  ['Asia/Calcutta', 'Asia/Kolkata'],
  ['asia/ho_chi_minh', 'Asia/Ho_Chi_Minh'],
  ['US/Eastern', 'America/New_York'],
  ['Iceland', 'Atlantic/Reykjavik'],
  ['Etc/UTC', 'UTC'],
  ['UTC', 'UTC'],
  ['Etc/GMT+5', 'Etc/GMT+5'],
  ['Mars/Olympus', 'Mars/Olympus'],
])('maps the zone %s to its current name %s', (given, current) =>
  expect(currentZoneName(given)).toBe(current),
);

it('lists only current time zone names, each once', () => {
  const names = zoneNames();
  expect(names).toEqual(expect.arrayContaining(['Europe/Kyiv', 'America/Argentina/Buenos_Aires', 'UTC']));
  expect(names.filter((name) => currentZoneName(name) !== name)).toEqual([]);
  expect(new Set(names).size).toBe(names.length);
});

it('shows the same time for former and current zone names', () => {
  const former = zoneNames().flatMap((current) =>
    formerZoneNames(current)
      .split(' ')
      .filter(Boolean)
      .map((name) => [name, current] as const),
  );
  expect(former).toContainEqual(['Europe/Uzhgorod', 'Europe/Kyiv']);
  for (const [name, current] of former) {
    expect([name, currentZoneName(name)]).toEqual([name, current]);
    expect([name, clocks(name)]).toEqual([name, clocks(current)]);
  }
});
