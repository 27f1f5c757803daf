import { tzlib_get_ical_block, tzlib_get_timezones } from 'timezones-ical-library';

/**
 * The VTIMEZONE block of a zone, or null when the library does not have the zone under this very name (an alias, or newer
 * than the library): times are then written in UTC.
 */
export function timeZoneRules(zone: string): string | null {
  if (!tzlib_get_timezones().includes(zone)) return null;
  const [block = ''] = [tzlib_get_ical_block(zone)].flat();
  return block.includes(`TZID:${zone}\r\n`) ? block : null;
}
