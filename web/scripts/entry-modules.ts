import type { Plugin } from 'vite';

export interface EntryModules extends Plugin {
  /** Whether the module is one of the application's own that the page needs from the start. */
  has: (id: string) => boolean;
}

/** Finds the modules that the entry imports statically: files that are always needed together become one. */
export function entryModules(): EntryModules {
  const ids = new Set<string>();
  return {
    name: 'entry-modules',
    apply: 'build',
    has: (id) => ids.has(id),
    buildEnd() {
      const visit = (id: string) => {
        if (ids.has(id) || id.includes('node_modules')) return;
        ids.add(id);
        this.getModuleInfo(id)?.importedIds.forEach(visit);
      };
      for (const id of this.getModuleIds()) if (this.getModuleInfo(id)?.isEntry) visit(id);
    },
  };
}
