export const german = {
  alwaysSent: 'E-Mails zu Ihren eigenen Anmeldungen kommen immer.',
  allDay: 'Ganztägig',
  free: 'Kostenlos',
  howToPay: 'Fragen Sie die Organisatoren, wie Sie bezahlen',
  toBeAnnounced: 'wird noch bekannt gegeben',
  testOf: 'Test: {subject}',
  organisersWrite: 'Die Organisatoren schreiben',
  viewEvent: 'Veranstaltung ansehen',
  account: {
    alwaysSent: 'E-Mails zur Sicherheit Ihres Kontos bei {community} kommen immer.',
    notYou: 'Waren Sie das nicht? Wählen Sie gleich ein neues Passwort und schreiben Sie an {supportEmail}.',
    newPassword: 'Neues Passwort wählen',
    actNow: 'Wenn Sie das nicht waren, handeln Sie gleich.',
    browse: 'Veranstaltungen ansehen',
    when: 'Wann',
  },
  welcome: {
    title: 'Willkommen bei {community}',
    preview: 'Ihr Konto ist bereit. Sehen Sie, was ansteht.',
    ready: 'Ihr Konto ist bereit, und jede Veranstaltung ist nur einen Klick entfernt.',
    passwordEnded:
      'Ihre Adresse wurde in einem Browser bestätigt, der nicht angemeldet war. Das früher gesetzte Passwort, die Anmeldungen damit und die private Kalenderadresse gelten nicht mehr, weil jeder es hätte setzen können. Sie können ein Passwort wählen:',
    choosePassword: 'Passwort wählen',
    profile: 'Mit einem Bild und einer Zeile über sich im Profil erkennen andere Sie dort leichter wieder.',
    reason: 'Sie erhalten diese E-Mail, weil mit dieser Adresse ein Konto bei {community} angelegt wurde.',
  },
  addressTaken: {
    subject: 'Sie haben ein Konto bei {community}',
    preview: 'Jemand hat Ihre Adresse für ein anderes Konto eingegeben.',
    title: 'Sie haben schon ein Konto',
    what: 'Jemand hat diese Adresse für ein anderes Konto bei {community} eingegeben. Sie gehört schon zu Ihrem Konto, also hat sich nichts geändert.',
    you: 'Waren Sie das? Dann melden Sie sich mit dieser Adresse an. Wenn Sie das Passwort vergessen haben, wählen Sie ein neues:',
    notYou: 'Waren Sie es nicht? Dann brauchen Sie nichts zu tun.',
    reason: 'Sie erhalten diese E-Mail, weil Sie ein Konto bei {community} haben.',
  },
  passwordChanged: {
    subject: 'Ihr Passwort für {community} wurde geändert',
    title: 'Ihr Passwort wurde geändert',
    ended: {
      chosen: 'Das Passwort Ihres Kontos wurde geändert, und Ihre anderen Geräte wurden abgemeldet.',
      'email-reverted':
        'Ihr Konto hat wieder seine frühere E-Mail-Adresse. Das Passwort und die seit der Änderung hinzugefügten zweiten Faktoren gelten nicht mehr, und alle Geräte wurden abgemeldet.',
      'email-verified':
        'Die Adresse Ihres Kontos wurde in einem Browser bestätigt, der nicht angemeldet war. Das Passwort gilt nicht mehr, und alle anderen Geräte wurden abgemeldet.',
    },
    calendar:
      'Damit gilt auch Ihre private Kalenderadresse nicht mehr. Im Profil legen Sie mit einem Druck eine neue an.',
  },
  secondFactor: {
    factor: 'Faktor',
    added: {
      subject: 'Ein zweiter Faktor wurde zu Ihrem Konto bei {community} hinzugefügt',
      title: 'Ein zweiter Faktor wurde hinzugefügt',
      sentence: 'Ab jetzt verlangt die Anmeldung zu Ihrem Konto einen zweiten Schritt.',
    },
    removed: {
      subject: 'Ein zweiter Faktor wurde von Ihrem Konto bei {community} entfernt',
      title: 'Ein zweiter Faktor wurde entfernt',
      sentence: 'Er kann nicht mehr zum Anmelden verwendet werden.',
    },
    'all-removed': {
      subject: 'Die zweiten Faktoren Ihres Kontos bei {community} wurden entfernt',
      title: 'Ihre zweiten Faktoren wurden entfernt',
      sentence:
        'Ein Admin hat sie entfernt, und alle Ihre Geräte wurden abgemeldet. Zum Anmelden genügt Ihr Passwort, bis Sie einen neuen hinzufügen.',
    },
    'recovery-code-used': {
      subject: 'Ein Wiederherstellungscode Ihres Kontos bei {community} wurde verwendet',
      title: 'Ein Wiederherstellungscode wurde verwendet',
      sentence:
        'Jemand hat sich mit einem Ihrer Wiederherstellungscodes bei Ihrem Konto angemeldet. Er gilt nicht noch einmal.',
    },
  },
  test: {
    subject: 'Test-E-Mail von {community}',
    preview: 'E-Mails sind eingerichtet.',
    title: 'E-Mails sind eingerichtet',
    what: 'Diese E-Mail ist den ganzen Weg gegangen: Postausgang, Warteschlange, Worker und Mailserver.',
    askedFor: 'Angefordert',
    reason:
      'Sie erhalten diese E-Mail, weil Sie sie auf der Seite „System“ von {community} angefordert haben.',
  },
  emailChanged: {
    subject: 'Ihre E-Mail-Adresse bei {community} wurde geändert',
    preview: 'Wenn Sie das nicht waren, schreiben Sie uns.',
    title: 'Ihre E-Mail-Adresse wurde geändert',
    what: 'Ihr Konto bei {community} hat eine neue E-Mail-Adresse. Ab jetzt schreiben wir dorthin, und Sie melden sich damit an.',
    writeAtOnce: 'Waren Sie das nicht? Schreiben Sie sofort an {supportEmail}.',
    takeBack:
      'Waren Sie das nicht? Holen Sie Ihre Adresse innerhalb von {hours} Stunden zurück. Alle Geräte werden dann abgemeldet, und Sie wählen ein neues Passwort.',
    button: 'Meine Adresse zurückholen',
    elseWrite: 'Wenn das nicht hilft, schreiben Sie an {supportEmail}.',
    reason:
      'Das ist die letzte E-Mail an diese Adresse: Bis jetzt gehörte sie zu einem Konto bei {community}.',
  },
  code: {
    press: 'Drücken Sie den Knopf, um {to}.',
    yours: 'Das ist Ihr Code, um {to}:',
    works:
      'Er gilt einmal, {lifetime} Minuten lang, in dem Browser, in dem er angefordert wurde. Ein neuerer Code macht diesen ungültig.',
    openLink: 'Öffnen Sie den Link in dieser E-Mail.',
    goodFor: 'Der Code gilt {lifetime} Minuten.',
    notAsked:
      'Sie haben das nicht angefordert? Dann hat sich nichts geändert, und Sie brauchen nichts zu tun. Geben Sie es niemals weiter.',
    keptUntil: 'Ohne Bestätigung bekommt jemand anderes Ihren Platz: Er ist bis {until} für Sie da.',
    verify: {
      subject: 'Bestätigen Sie Ihre E-Mail-Adresse für {community}',
      title: 'Bestätigen Sie Ihre Adresse',
      to: 'Ihre E-Mail-Adresse zu bestätigen',
      button: 'Meine Adresse bestätigen',
      more: 'Geben Sie den Code dort ein, wo Sie sich registriert haben. In einem anderen Browser meldet der Link Sie dort an, und ein früher gesetztes Passwort endet.',
      reason: 'Sie erhalten diese E-Mail, weil mit dieser Adresse ein Konto bei {community} angelegt wurde.',
    },
    keep: {
      subject: 'Ihr Konto bei {community} endet in 7 Tagen',
      title: 'Ihr Konto endet in 7 Tagen',
      to: 'Ihr Konto zu behalten',
      button: 'Mein Konto behalten',
      more: 'Seit Wochen hat niemand diese Adresse bestätigt oder das Konto genutzt. Ohne Bestätigung wird es in 7 Tagen entfernt. Der Link meldet Sie an, und ein früher gesetztes Passwort endet.',
      reason: 'Sie erhalten diese E-Mail, weil mit dieser Adresse ein Konto bei {community} angelegt wurde.',
    },
    place: {
      subject: 'Bestätigen Sie Ihre Adresse, um Ihren Platz zu behalten: {event}',
      title: 'Behalten Sie Ihren Platz',
      to: 'Ihre E-Mail-Adresse zu bestätigen und Ihren Platz bei „{event}“ zu behalten',
      button: 'Meine Adresse bestätigen',
      more: 'Geben Sie den Code auf der Seite der Veranstaltung ein. In einem anderen Browser meldet der Link Sie dort an, und ein früher gesetztes Passwort endet.',
      reason:
        'Sie erhalten diese E-Mail, weil ein Konto bei {community} mit dieser Adresse einen Platz bei einer Veranstaltung genommen hat.',
    },
    'sign-in': {
      subject: 'Ihr Anmelde{what, select, link {link} other {code}} für {community}',
      title: 'Ihr Anmelde{what, select, link {link} other {code}}',
      to: 'sich anzumelden',
      button: 'Anmelden',
      more: '',
      reason: 'Sie erhalten diese E-Mail, weil sich jemand bei Ihrem Konto bei {community} anmelden möchte.',
    },
    reset: {
      subject: 'Ihr {what, select, link {Link} other {Code}} zum Zurücksetzen bei {community}',
      title: 'Ihr {what, select, link {Link} other {Code}} zum Zurücksetzen',
      to: 'ein neues Passwort zu wählen',
      button: 'Passwort zurücksetzen',
      more: '',
      reason:
        'Sie erhalten diese E-Mail, weil für Ihr Konto bei {community} ein Code zum Zurücksetzen angefordert wurde.',
    },
    rsvp: {
      subject: 'Ihr {what, select, link {Link} other {Code}} zur Anmeldung: {event}',
      title: 'Ihr {what, select, link {Link} other {Code}} zur Anmeldung',
      to: 'sich zu „{event}“ anzumelden',
      button: 'Anmelden',
      more: 'Der Platz gehört Ihnen, sobald Sie bestätigt haben. Der Link meldet Sie in jedem Browser an, in dem Sie ihn öffnen, und legt Ihnen ein Konto ohne Passwort an.',
      reason:
        'Sie erhalten diese E-Mail, weil jemand diese Adresse eingegeben hat, um sich zu einer Veranstaltung von {community} anzumelden. Ohne den Code passiert nichts.',
    },
    'rsvp-known': {
      subject: 'Ihr {what, select, link {Link} other {Code}} zur Anmeldung: {event}',
      title: 'Ihr {what, select, link {Link} other {Code}} zur Anmeldung',
      to: 'sich einzuloggen und zu „{event}“ anzumelden',
      button: 'Einloggen und anmelden',
      more: 'Zu dieser Adresse gibt es Ihr Konto. Der Platz gehört Ihnen, sobald Sie bestätigt haben.',
      reason:
        'Sie erhalten diese E-Mail, weil jemand diese Adresse, zu der es ein Konto bei {community} gibt, eingegeben hat, um sich zu einer Veranstaltung anzumelden. Ohne den Code passiert nichts.',
    },
    'change-present': {
      subject: 'Bestätigen Sie, dass sich Ihre Adresse bei {community} ändern soll',
      title: 'Ihre Adresse soll sich ändern',
      to: 'zu bestätigen, dass Ihr Konto eine andere E-Mail-Adresse bekommen soll',
      button: 'Änderung bestätigen',
      more: 'Danach geht ein zweiter Code an die neue Adresse.',
      reason: 'Sie erhalten diese E-Mail, weil es in Ihrem Konto bei {community} jemand angefordert hat.',
    },
    'change-new': {
      subject: 'Bestätigen Sie Ihre neue Adresse bei {community}',
      title: 'Bestätigen Sie Ihre neue Adresse',
      to: 'zu bestätigen, dass das die neue Adresse eines Kontos ist',
      button: 'Diese Adresse bestätigen',
      more: 'Bestätigen Sie sie in dem Browser, in dem Sie angemeldet sind: In jedem anderen endet das Passwort des Kontos.',
      reason:
        'Sie erhalten diese E-Mail, weil diese Adresse für ein Konto bei {community} eingegeben wurde. Ohne den Code passiert nichts.',
    },
  },
  booking: {
    waiting: '{count, plural, =0 {.} one { – 1 Person wartet.} other { – # Personen warten.}}',
    addedByOrganiser:
      'Die Organisatoren haben Sie hinzugefügt. Um Ihren Platz unter „Meine Veranstaltungen“ zu sehen oder ihn aufzugeben, falls Sie verhindert sind: ',
    confirmAddress: 'Bestätigen Sie, dass diese Adresse Ihnen gehört',
    cannotCome: 'Doch verhindert? ',
    giveUp: 'Geben Sie Ihren Platz auf',
    addToCalendar: 'In den Kalender',
    about: 'Worum es geht',
    next: 'Als Nächstes',
    otherEvents: 'Andere Veranstaltungen',
    joinedList:
      'Sie erhalten diese E-Mail, weil Sie auf der Warteliste einer Veranstaltung von {community} standen.',
  },
  confirmed: {
    subject: 'Sie sind angemeldet: {title}',
    status: 'Sie sind dabei',
    what: 'Ihr Platz ist gebucht. Der angehängte Eintrag trägt ihn in Ihren Kalender ein.',
    reason:
      'Sie erhalten diese E-Mail, weil Sie sich zu einer Veranstaltung von {community} angemeldet haben.',
  },
  waitlistJoined: {
    subject: 'Sie stehen auf der Warteliste: {title}',
    preview: 'Sie sind Nummer {position}.',
    status: 'Sie stehen auf der Warteliste',
    what: 'Alle Plätze sind vergeben, und Sie sind Nummer {position} auf der Warteliste. Sobald ein Platz frei wird und Sie an der Reihe sind, gehört er Ihnen, und wir schreiben Ihnen.',
    leave: 'Die Warteliste verlassen',
  },
  promoted: {
    subject: 'Sie haben einen Platz: {title}',
    preview: 'Ein Platz ist frei geworden. {when}',
    status: 'Sie haben einen Platz',
    what: 'Sie standen auf der Warteliste, und ein Platz ist frei geworden: Er gehört Ihnen. Der angehängte Eintrag trägt die Veranstaltung in Ihren Kalender ein.',
  },
  reminder: {
    subject: 'Steht bevor: {title}',
    status: 'Steht bevor',
    what: 'Eine Veranstaltung, zu der Sie angemeldet sind, beginnt bald. Wir freuen uns auf Sie.',
    reason: 'Sie erhalten diese E-Mail, weil Sie zu dieser Veranstaltung von {community} angemeldet sind.',
  },
  unregistered: {
    subject: 'Sie sind nicht mehr angemeldet: {title}',
    preview: 'Sie haben Ihren Platz aufgegeben.',
    status: 'Platz aufgegeben',
    what: 'Sie haben Ihren Platz aufgegeben. Der angehängte Eintrag nimmt die Veranstaltung aus Ihrem Kalender.',
    again: 'Können Sie doch kommen? Solange Plätze frei sind, können Sie sich wieder anmelden.',
    reason:
      'Sie erhalten diese E-Mail, weil Sie sich von einer Veranstaltung von {community} abgemeldet haben.',
  },
  placeRemoved: {
    subject: 'Ihr Platz wurde gestrichen: {title}',
    subjectWaited: 'Nicht mehr auf der Warteliste: {title}',
    preview: 'Die Organisatoren haben Sie von der Gästeliste genommen. Es tut uns leid.',
    status: 'Platz gestrichen',
    statusWaited: 'Warteliste',
    what: 'Die Organisatoren haben Ihren Platz bei dieser Veranstaltung gestrichen. Es tut uns leid. Der angehängte Eintrag nimmt die Veranstaltung aus Ihrem Kalender.',
    whatWaited:
      'Die Organisatoren haben Sie von der Warteliste dieser Veranstaltung genommen. Es tut uns leid.',
    reason: 'Sie erhalten diese E-Mail, weil Sie zu dieser Veranstaltung von {community} angemeldet waren.',
    reasonWaited:
      'Sie erhalten diese E-Mail, weil Sie auf der Warteliste dieser Veranstaltung von {community} standen.',
  },
  waitlistDismissed: {
    preview: 'Diesmal gibt es für Sie keinen Platz. Es tut uns leid.',
    what: 'Sie stehen nicht mehr auf der Warteliste dieser Veranstaltung: Diesmal gibt es für Sie keinen Platz. Es tut uns leid.',
  },
  changed: {
    parts: {
      time: 'Zeit',
      location: 'Ort',
      online: 'Link zur Teilnahme',
      accessibility: 'Hinweis zur Barrierefreiheit',
      price: 'Preis',
      title: 'Titel',
    },
    subject: 'Geändert: {title}',
    subjectNote: 'Zur Veranstaltung: {title}',
    preview: 'Neu: {parts}. {when}',
    status: 'Geändert',
    statusNote: 'Von den Organisatoren',
    whatParts:
      'Bei einer Veranstaltung, zu der Sie angemeldet sind, hat sich etwas geändert: {parts}. So steht es jetzt:',
    whatDetails:
      'Die Organisatoren haben die Beschreibung oder andere Einzelheiten einer Veranstaltung geändert, zu der Sie angemeldet sind:',
    whatNote: 'Die Organisatoren haben Ihnen zu einer Veranstaltung geschrieben, zu der Sie angemeldet sind:',
    youKeep:
      'Ihren Platz behalten Sie, und der angehängte Eintrag bringt Ihren Kalender auf den neuesten Stand. Passt es Ihnen noch?',
    keep: 'Platz behalten',
    giveUp: 'Platz aufgeben',
  },
  cancelled: {
    subject: 'Abgesagt: {title}',
    preview: 'Die Veranstaltung findet nicht statt. {when}',
    status: 'Abgesagt',
    what: 'Eine Veranstaltung, zu der Sie angemeldet waren, wurde abgesagt. Es tut uns leid.',
    whatWaited: 'Eine Veranstaltung, auf deren Warteliste Sie standen, wurde abgesagt. Es tut uns leid.',
    why: 'Warum',
    nothingToDo: 'Sie brauchen nichts zu tun.',
    entry: 'Der angehängte Eintrag nimmt sie aus Ihrem Kalender. Sie brauchen nichts zu tun.',
  },
  named: {
    coHost: {
      subject: 'Möchten Sie mit Gastgeber sein? {title}',
      preview:
        'Weitere Gastgeber stehen auf der Seite der Veranstaltung und verwalten sie mit den Organisatoren.',
      status: 'Als Gastgeber gefragt',
      what: 'Die Organisatoren bitten Sie, bei dieser Veranstaltung mit Gastgeber zu sein. Sobald Sie in Ihrem Profil zustimmen, stehen Ihr Name und Ihr Bild auf ihrer Seite, und Sie können die Veranstaltung ändern und sehen, wer kommt.',
    },
    role: {
      subject: 'Sie sind genannt – {role, select, host {als Gastgeber} other {mit einem Vortrag}}: {title}',
      preview: 'Sagen Sie, ob Ihr Name und Ihr Bild auf der Seite der Veranstaltung stehen dürfen.',
      status: '{role, select, host {Als Gastgeber genannt} other {Mit einem Vortrag genannt}}',
      what: 'Die Organisatoren haben Sie bei dieser Veranstaltung {role, select, host {als Gastgeber} other {mit einem Vortrag}} genannt. Ihr Name und Ihr Bild stehen auf ihrer Seite, sobald Sie in Ihrem Profil zustimmen.',
    },
    profile: 'Profil öffnen',
    reason: 'Sie erhalten diese E-Mail, weil Sie bei einer Veranstaltung von {community} genannt wurden.',
  },
  proposal: {
    subjectAccepted: 'Angenommen: {title}',
    subjectDeclined: 'Abgelehnt: {title}',
    previewAccepted: 'Die Organisatoren haben aus Ihrem Vorschlag einen Entwurf gemacht.',
    previewDeclined: 'Die Organisatoren haben geantwortet.',
    titleAccepted: 'Ihr Vorschlag ist angenommen',
    titleDeclined: 'Ihr Vorschlag ist abgelehnt',
    accepted:
      'Die Organisatoren haben aus Ihrem Vorschlag „{title}“ einen Entwurf gemacht. Sie verwalten ihn mit: Sie können ihn ändern und sehen, wer kommt.',
    declined: 'Die Organisatoren haben Ihren Vorschlag „{title}“ abgelehnt.',
    openDraft: 'Entwurf öffnen',
    reason: 'Sie erhalten diese E-Mail, weil Sie {community} eine Veranstaltung vorgeschlagen haben.',
  },
  announced: {
    subject: 'Neu: {title}',
    status: 'Neue Veranstaltung',
    what: 'Es gibt eine neue Veranstaltung zu {topics}:',
    reason: 'Sie erhalten diese E-Mail, weil Sie bei {community} {topics} folgen.',
  },
  digest: {
    subject: 'Diese Woche bei {community}',
    status: 'Wochenüberblick',
    what: 'Das steht an.',
    own: 'Ihre Woche',
    fresh: 'Neu',
    nearlyFull: 'Fast ausgebucht',
    all: 'Alle Veranstaltungen',
    reasonMember: 'Sie erhalten diese E-Mail einmal in der Woche, weil Sie Mitglied bei {community} sind.',
    reasonVisitor:
      'Sie erhalten diese E-Mail einmal in der Woche, weil Sie sie bei {community} bestellt haben.',
  },
  subscription: {
    subject: 'Bestätigen Sie Ihre Adresse für {community}',
    preview: 'Ein Druck, und die E-Mails kommen.',
    title: 'Bestätigen Sie Ihre Adresse',
    topics: 'Ankündigungen neuer Veranstaltungen zu {topics}',
    digest: 'einen Überblick einmal in der Woche',
    both: '{topics} und {digest}',
    what: 'Jemand hat {community} gebeten, an diese Adresse {lists} zu senden. Waren Sie das? Dann bestätigen Sie sie innerhalb von sieben Tagen:',
    button: 'Meine Adresse bestätigen',
    notYou: 'Wenn Sie es nicht waren, brauchen Sie nichts zu tun: Es kommt keine weitere E-Mail.',
    reason: 'Sie erhalten diese E-Mail, weil diese Adresse bei {community} eingegeben wurde.',
  },
};
