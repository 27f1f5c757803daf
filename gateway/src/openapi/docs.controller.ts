import { createRequire } from 'node:module';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DomainError } from '@meetmark/contracts';
import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Access } from '../access/access.js';
import { Answer } from '../answers/answer.js';
import { ApiDocument } from './api-document.js';

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

/** The description of the API, for programs and for people. */
@ApiExcludeController()
@Controller('api')
export class DocsController {
  private readonly answers = new Map<string, Promise<Answer>>();

  constructor(private readonly document: ApiDocument) {}

  @Get('openapi.json')
  @Access('public')
  openApi(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.send('openapi.json', async () => Answer.json(this.document.get()), request, reply);
  }

  @Get('docs')
  @Access('public')
  page(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.send('docs', async () => new Answer(PAGE, 'text/html; charset=utf-8'), request, reply);
  }

  @Get('docs/:file')
  @Access('public')
  file(
    @Param('file') file: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return this.send(`docs/${file}`, () => fileAnswer(file), request, reply);
  }

  /** Each is made once, and compressed once. */
  private async send(
    name: string,
    make: () => Promise<Answer>,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<void> {
    let answer = this.answers.get(name);
    if (answer === undefined) {
      answer = make();
      await answer; // what cannot be made is not remembered
      this.answers.set(name, answer);
    }
    await (await answer).send(request, reply);
  }
}

async function fileAnswer(file: string): Promise<Answer> {
  if (file === 'start.js') return new Answer(START, 'text/javascript; charset=utf-8');
  const type = Object.hasOwn(FILES, file) ? FILES[file] : undefined;
  if (type === undefined) throw new DomainError('NOT_FOUND');
  return new Answer(await readFile(join(UI, file)), type);
}
