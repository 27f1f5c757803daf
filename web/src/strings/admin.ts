/** Sentences that screens of the administrator’s area share. */
export const adminText = {
  previous: 'Previous',
  next: 'Next',
  pages: (list: string) => `Pages of ${list}`,
  range: (from: number, to: number, total: string) => `${from}–${to} of ${total}`,
  actions: 'Actions',
  actionFor: (action: string, subject: string) => `${action}: ${subject}`,
  delete: 'Delete',
  edit: 'Edit',
  refresh: 'Refresh',
  unableTitle: 'Unable to Complete Action',
  ok: 'OK',
} as const;
