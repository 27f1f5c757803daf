import { join } from 'node:path';
import type { Plugin } from 'vite';

export interface PageFiles<Page extends string> extends Plugin {
  ofAll: (id: string) => boolean;
  /** Returns a function that checks whether the page needs a module when it opens. */
  of: (page: Page) => (id: string) => boolean;
}

export function pageFiles<Page extends string>(pages: Record<Page, string>): PageFiles<Page> {
  let root = '';
  const entry = new Set<string>();
  const modules = new Map<string, Set<string>>();
  return {
    name: 'page-files',
    apply: 'build',
    ofAll: (id) => entry.has(id) || [...modules.values()].every((ids) => ids.has(id)),
    of: (page) => (id) => modules.get(page)?.has(id) ?? false,
    configResolved(config) {
      root = config.root;
    },
    buildEnd(error) {
      if (error) return;
      const visit = (id: string, ids: Set<string>) => {
        if (ids.has(id) || id.includes('node_modules')) return;
        ids.add(id);
        this.getModuleInfo(id)?.importedIds.forEach((imported) => visit(imported, ids));
      };
      for (const id of this.getModuleIds()) if (this.getModuleInfo(id)?.isEntry) visit(id, entry);
      for (const [page, file] of Object.entries<string>(pages)) {
        const ids = new Set<string>();
        const screen = join(root, file);
        visit(screen, ids);
        ids.delete(screen);
        modules.set(page, ids);
      }
    },
  };
}
