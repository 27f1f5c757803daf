import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { DomainError } from '@meetmark/contracts';
import { Controller, Get, Injectable, Param, Res, type INestApplication } from '@nestjs/common';
import { ApiExcludeController, DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { CachedResponse } from '../cache/cached-response.js';
import { GatewayConfig } from '../gateway.config.js';
import { Access } from '../http/access.js';
import { cookieName } from '../http/session.js';
import { ErrorAnswer } from './answers.js';
import { bodyClasses, COOKIE_AUTH } from './describe.js';
import { requestSchema, type JsonSchema } from './request-schema.js';

const DESCRIPTION = `Conventions: JSON in and out; dates are ISO 8601 UTC; ids are UUIDs; lists are plain arrays, paged with \`limit\` and \`cursor\`;
every refusal is an \`Error\` with a stable \`code\`. An address without such a method is 405 \`METHOD_NOT_ALLOWED\` and says in \`Allow\` what it takes;
a slash at the end of an address changes nothing. Requests that change something must come from this site or from no page at all.`;

type Schemas = NonNullable<OpenAPIObject['components']>['schemas'];

/** The OpenAPI 3.1 description, made from the routes and their decorators once the application is complete. */
@Injectable()
export class ApiDocument {
  private document?: OpenAPIObject;

  constructor(private readonly config: GatewayConfig) {}

  describe(app: INestApplication): void {
    const base = new DocumentBuilder()
      .setOpenAPIVersion('3.1.0')
      .setTitle('Meetmark API')
      .setDescription(DESCRIPTION)
      .setVersion('1')
      .addServer('/')
      .addCookieAuth(cookieName(this.config), { type: 'apiKey', in: 'cookie' }, COOKIE_AUTH)
      .build();
    const document = SwaggerModule.createDocument(app, base, {
      autoTagControllers: true,
      extraModels: [ErrorAnswer],
    });
    for (const operation of Object.values(document.paths).flatMap((methods) => Object.values(methods)))
      (operation as { security?: object[] }).security ??= []; // said, not left to be understood
    const answers = (document.components?.schemas ?? {}) as Record<string, JsonSchema>;
    for (const schema of Object.values(answers))
      schema.additionalProperties ??= Object.keys(schema.properties ?? {}).length === 0;
    const bodies = Object.fromEntries(bodyClasses().map((type) => [type.name, requestSchema(type)]));
    document.components = { ...document.components, schemas: { ...answers, ...bodies } as Schemas };
    this.document = document;
  }

  get(): OpenAPIObject {
    if (this.document === undefined) throw new Error('the API has not been described yet');
    return this.document;
  }
}

const UI = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
const FILES: Record<string, string> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
};
// no inline script: the content security policy forbids it
const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <title>API</title>
    <link rel="stylesheet" href="/api/docs/swagger-ui.css">
  </head>
  <body>
    <div id="docs"></div>
    <script src="/api/docs/swagger-ui-bundle.js"></script>
    <script src="/api/docs/start.js"></script>
  </body>
</html>
`;
const START = `SwaggerUIBundle({ url: '/api/openapi.json', dom_id: '#docs', deepLinking: true, validatorUrl: null });\n`;

/** The description of the API: the document, and Swagger UI for it. */
@ApiExcludeController()
@Controller('api')
export class DocsController {
  private readonly answers = new Map<string, Promise<CachedResponse>>();

  constructor(private readonly document: ApiDocument) {}

  @Get('openapi.json')
  @Access('public')
  openApi(@Res() reply: FastifyReply): Promise<void> {
    return this.send('openapi.json', async () => CachedResponse.json(this.document.get()), reply);
  }

  @Get('docs')
  @Access('public')
  page(@Res() reply: FastifyReply): Promise<void> {
    return this.send('docs', async () => new CachedResponse(PAGE, 'text/html; charset=utf-8'), reply);
  }

  @Get('docs/:file')
  @Access('public')
  file(@Param('file') file: string, @Res() reply: FastifyReply): Promise<void> {
    return this.send(`docs/${file}`, () => fileAnswer(file), reply);
  }

  /** Each response is made and compressed once. */
  private async send(name: string, make: () => Promise<CachedResponse>, reply: FastifyReply): Promise<void> {
    let answer = this.answers.get(name);
    if (answer === undefined) {
      answer = make();
      await answer; // a failure is not kept
      this.answers.set(name, answer);
    }
    await (await answer).send(reply);
  }
}

async function fileAnswer(file: string): Promise<CachedResponse> {
  if (file === 'start.js') return new CachedResponse(START, 'text/javascript; charset=utf-8');
  const type = Object.hasOwn(FILES, file) ? FILES[file] : undefined;
  if (type === undefined) throw new DomainError('NOT_FOUND');
  return new CachedResponse(await readFile(join(UI, file)), type);
}
