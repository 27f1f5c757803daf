import { join } from 'node:path';
import type { Plugin } from 'vite';

export interface PageFiles<Page extends string> extends Plugin {
  /** Whether the module is one of the application's own that every page needs, or each of these pages. */
  ofAll: (id: string) => boolean;
  /** Whether the module is one of the application's own that the page needs from the start. */
  of: (page: Page) => (id: string) => boolean;
}

/** Finds the modules that the entry and each page import statically: files that are always needed together become one. */
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
        // the file that import() names keeps its name
        ids.delete(screen);
        modules.set(page, ids);
      }
    },
  };
}
