import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { DomainError } from '@meetmark/contracts';
import { Controller, Get, Param, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { CachedResponse } from '../cache/cached-response.js';
import { Access } from '../http/access.js';
import { ApiDocument } from './api-document.js';

const UI = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
const FILES: Record<string, string> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
};
// Has no inline script, because the Content-Security-Policy forbids it.
const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <title>Meetmark API</title>
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

  private async send(name: string, make: () => Promise<CachedResponse>, reply: FastifyReply): Promise<void> {
    let answer = this.answers.get(name);
    if (answer === undefined) {
      answer = make();
      await answer; // Waits before caching, so that a failure isn't cached.
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
