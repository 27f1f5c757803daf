export const german = {
  greeting: 'Guten Tag {firstName},',
  greetingOfAnybody: 'Guten Tag,',
  stop: 'Diese E-Mails abbestellen',
  settings: 'Ihre E-Mail-Einstellungen',
  legal: { terms: 'Nutzungsbedingungen', privacy: 'Datenschutzerklärung' },
  pictureOf: 'Bild zu {title}',
  was: '(bisher {before})',
  doorCode: {
    title: 'Ihr Code für den Einlass',
    hint: 'Zeigen Sie ihn auf dem Telefon oder auf Papier.',
    picture: 'QR-Code Ihres Platzes',
  },
  event: {
    when: 'Wann',
    where: 'Wo',
    online: 'Online',
    alsoOnline: '{place} (auch online)',
    bothWays: 'Vor Ort und online',
    directions: 'Route',
    join: 'Online teilnehmen',
    joinAt: 'Teilnehmen: {url}',
    price: 'Preis',
    howToPay: 'Bezahlung',
  },
  message: {
    status: 'Von den Organisatoren',
    statusBy: 'Von {name}',
    answer: 'Antworten Sie auf diese E-Mail, um den Organisatoren zu schreiben.',
    answerTo: 'Antworten Sie auf diese E-Mail, um {name} zu schreiben.',
    reason:
      'Sie erhalten diese E-Mail, weil Sie zu {title} angemeldet sind, einer Veranstaltung von {community}.',
  },
};
