import type { IncomingMessage } from 'node:http';
import escapeHtml from 'escape-html';

export const HTML = 'text/html; charset=utf-8';
const ERROR_OF_OURS = 500;

/** Loads no other files, because those could fail too. */
const page = (requestId: string) => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<title>Please try again in a moment</title>
<style>body{font:1.125rem/1.5 system-ui,sans-serif;max-width:34rem;margin:15vh auto;padding:0 1.5rem}small{opacity:.75}</style>
<main>
<h1>This page is not available at the moment</h1>
<p>Something went wrong on our side. Please try again shortly.</p>
<p lang="de">Diese Seite ist gerade nicht erreichbar. Bitte versuchen Sie es gleich noch einmal.</p>
<p><a href="">Try again · <span lang="de">Noch einmal versuchen</span></a></p>
<p><small>${escapeHtml(requestId)}</small></p>
</main>
</html>
`;

export function failurePage(
  { method, url = '', headers }: Pick<IncomingMessage, 'method' | 'url' | 'headers'>,
  status: number,
  requestId: string,
): string | undefined {
  const asksForPage =
    (method === 'GET' || method === 'HEAD') &&
    !url.startsWith('/api/') &&
    /\btext\/html\b/i.test(headers.accept ?? '');
  return status >= ERROR_OF_OURS && asksForPage ? page(requestId) : undefined;
}
