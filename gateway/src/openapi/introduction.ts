export const INTRODUCTION = `The API of a Meetmark installation: events, registrations, accounts and administration. The web application uses the same calls.

## Quick start

\`\`\`sh
# list upcoming events; needs no account. EVENT_ID below is the id of one with "registrationState": "open"
curl 'https://meetmark.example.org/api/events/public?time=upcoming&limit=20'

# sign in and keep the cookies: 200 with your account
curl -c cookies.txt -H 'Content-Type: application/json' \\
  -d '{"email": "ada@example.org", "password": "correct horse"}' https://meetmark.example.org/api/login

# register for the event: 201, or 200 if you already were
curl -b cookies.txt -c cookies.txt -X POST https://meetmark.example.org/api/events/$EVENT_ID/register
\`\`\`

After \`npm start\`, use http://localhost:8080 and the member account that it prints.

## Authentication

\`POST /api/login\` sets a session cookie: \`__Host-meetmark_session\` over https, \`meetmark_session\` otherwise. Send it with every
request, and store the cookies that later responses set: some replace it. A session ends 7 days after its last use, 30 days after the
sign-in, or when the password changes. \`POST /api/logout\` ends it. There are no API keys. Phones at the door of an event send the
token of a door link instead.

There is no CSRF token. Requests other than \`GET\`, \`HEAD\` and \`OPTIONS\` get 403 \`CROSS_SITE\` if \`Sec-Fetch-Site\`, \`Origin\` or
\`Referer\` names another site. A program sends none of these headers. Address the installation by its public host name: any other
\`Host\` gets 421 \`HOST_UNKNOWN\`.

Emailed codes work only for the client that requested them: keep the cookie of the request until you send the code. A code has five
tries and expires after ten minutes.

## Access

The description of each call says who may make it. So does \`x-access\`:

| \`x-access\` | Who |
| --- | --- |
| \`public\` | Anyone. A session is optional and may add personal data |
| \`member\` | Any signed-in member |
| \`organiser\` | Members with the \`role\` \`organiser\` or \`owner\` |
| \`manager\` | People who manage the event: its creator as an organiser, its co-hosts, and owners |
| \`admin\` | Members with the \`role\` \`owner\` |

401 \`UNAUTHORIZED\` means that there is no valid session, 403 \`FORBIDDEN\` that your role isn't sufficient. Sensitive calls also need a
fresh sign-in: after 403 \`FRESH_SIGN_IN_REQUIRED\`, send \`POST /api/user/confirm\` and repeat the call. 403
\`SECOND_FACTOR_SETUP_REQUIRED\` means that owners of this installation need a second factor, and 403
\`CONSENT_REQUIRED\` that you must first accept the legal pages in \`consentNeeded\` of \`GET /api/user\`.

## Requests

- Bodies are JSON with \`Content-Type: application/json\`, uncompressed, up to 64 kB, or about 7 MB where an image is accepted. Unknown
  properties are a 400.
- IDs are UUIDs. Dates are ISO 8601 with a zone (\`2030-05-01T08:00:00Z\`, \`2030-05-01T10:00:00+02:00\`), in the years 1900 to 2999.
  Responses have them in UTC. The time zone of an event is its \`timeZone\`; \`null\` means the community's (\`GET /api/config\`).
- Prices are decimal strings (\`"12.50"\`) in the community's currency, or \`null\` for free.
- \`PUT\` and \`PATCH\` change the fields that you send, unless the call says otherwise. Leave out a field to keep its value; \`null\`
  clears it. A field that can't be empty refuses \`null\`.
- Images are data URLs (PNG, JPEG, WebP, GIF or AVIF, up to 5 MB). Responses have their path on this site. Send that path back, or leave
  the field out, to keep the image; \`null\` removes it.
- A slash at the end of a path makes no difference. A method that a path doesn't have is 405 \`METHOD_NOT_ALLOWED\`, with the methods in
  \`Allow\`.

## Lists and pagination

Lists are JSON arrays. \`limit\` (1 to 100) returns one page. \`X-Total-Count\` has the number of items over all pages, and
\`Link: </api/…>; rel="next"\` the path of the next page; without that header you have the last one. Use the path as it is: its
\`cursor\` is opaque. Without any parameter you get up to 1,000 items; with a filter and no \`limit\`, up to 100. \`GET /api/my-events\` returns
up to 1,000 in either case.

## Concurrent changes

Events, users, profiles and settings have a \`version\`. Send the one that you read, as \`If-Match: "3"\` or as \`version\` in the body. If
someone saved in between, the response is 409 \`EDIT_CONFLICT\`: \`details.present\` has the current state and \`details.edits\` who
changed which fields. Without a version, the last change wins.

## Errors

Every error has the same shape:

\`\`\`json
{
  "statusCode": 400,
  "code": "VALIDATION_FAILED",
  "message": "Some fields are not valid: title is required",
  "details": {
    "fields": { "title": ["title is required"] },
    "rules": { "title": { "rule": "required" } }
  },
  "requestId": "0c0c9c4e-5b0a-4a0e-9f43-0e5b9d1f5f3a"
}
\`\`\`

\`code\` is stable: use it to tell errors apart. \`message\` is an English sentence for people and may change. \`requestId\`, also in
\`X-Request-Id\`, is what the operator needs to find the request in the logs.

The checks run in this order: capacity (503), host and origin (421, 403), path and method (404, 405), size and type of the body (413,
415), rate limit (429), session (401), access (403), existence (404), fields (400), state (409).

## Retries

429 and 503 have \`Retry-After\` in seconds. A 503 with \`details.outcome\` \`not-started\` wasn't carried out. With \`unknown\` it may
have been: repeat it only if the call is idempotent.

Calls that take an \`Idempotency-Key\` can be repeated for 24 hours: the same request with the same key returns the first response. The
same key with another request is 409 \`IDEMPOTENCY_CONFLICT\`, and 409 \`REQUEST_IN_PROGRESS\` while the first attempt is running.

## Rate limits

By default, an account can make 1,500 requests within 5 minutes, and the visitors of a network together 1,200. Large responses count as several requests.
Sign-ins, codes, registrations, images and some other calls have lower limits. The operator can change all of them. Beyond a limit you
get 429 \`RATE_LIMITED\`.

## Caching

Public responses have an \`ETag\`: send it as \`If-None-Match\` to get 304 if nothing changed. Responses with personal data are
\`no-store\`.
`;
