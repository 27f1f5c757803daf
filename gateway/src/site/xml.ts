import escapeHtml from 'escape-html';

/** What no XML 1.0 document may hold, not even escaped: most control characters, half letters and two that are none. */
const FORBIDDEN = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

/** Stored text for an element or an attribute of XML. */
export const xmlText = (text: string): string => escapeHtml(text.replaceAll(FORBIDDEN, ''));
