import ICAL from 'ical.js';

/** Parses a calendar with one entry. */
export function parseCalendar(text: string) {
  const calendar = ICAL.Component.fromString(text);
  const component = calendar.getFirstSubcomponent('vevent');
  if (component === null) throw new Error('no entry');
  return {
    method: calendar.getFirstPropertyValue('method'),
    status: component.getFirstPropertyValue('status'),
    sequence: component.getFirstPropertyValue('sequence'),
    entry: new ICAL.Event(component),
  };
}
