import { extname } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';

const YEAR = '31536000'; // seconds
/** What the build names after its content, below this folder, never changes. */
const HASHED = /^\/?assets\//;

/** Lets replies send files of the built web application, compressed ones where the build has left them. */
export async function serveWebFiles(server: FastifyInstance, root: string): Promise<void> {
  await server.register(fastifyStatic, {
    root,
    serve: false, // SiteController decides which address means which file
    preCompressed: true,
    dotfiles: 'ignore',
    index: false,
    cacheControl: false,
  });
}

export const cacheControlOf = (path: string) =>
  HASHED.test(path) ? `public, max-age=${YEAR}, immutable` : 'public, no-cache';

export const isFile = (path: string) => extname(path) !== '';
