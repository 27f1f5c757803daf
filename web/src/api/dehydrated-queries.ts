/** An answer of the API that came with the page (gateway/src/site/dehydrated-queries.ts). */
interface DehydratedResponse {
  status?: number;
  /** By their names in lower case. */
  headers?: Record<string, string>;
  body: unknown;
}

/** Milliseconds after which the answers that came with the page are too old. */
const LIFETIME = 60_000;

/** The answers by path and query; undefined until the first question. */
let answers: Map<string, DehydratedResponse> | undefined;

/** The answer that a screen may begin with; the call that follows takes it. */
export function dehydratedResponse(path: string): DehydratedResponse | undefined {
  if (performance.now() > LIFETIME) forgetDehydratedQueries();
  answers ??= new Map(Object.entries(carried()));
  return answers.get(path);
}

/** The body of a success that came with the page. */
export function dehydratedBody<T>(path: string): T | undefined {
  const answer = dehydratedResponse(path);
  return answer?.status === undefined ? (answer?.body as T | undefined) : undefined;
}

/** The answer to the first call of its kind; the next one goes to the server. */
export function takeDehydratedResponse(path: string): Response | undefined {
  const answer = dehydratedResponse(path);
  if (!answer) return undefined;
  answers?.delete(path);
  const { body, status, headers } = answer;
  return new Response(JSON.stringify(body), { status, headers });
}

/** Forgets the answers that came with the page: after a change they may be wrong. */
export function forgetDehydratedQueries(): void {
  answers = new Map();
}

/** Going back shows the browser's own copy of the page, which may be old. */
function isOldCopy(): boolean {
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  return navigation?.type === 'back_forward';
}

function carried(): Record<string, DehydratedResponse> {
  const text = document.getElementById('first-answers')?.textContent;
  return text && !isOldCopy() ? (JSON.parse(text) as Record<string, DehydratedResponse>) : {};
}
