const FORGOTTEN_AFTER = 1_000;

const ENTRIES = '[role="menuitem"]:not([aria-disabled="true"])';

const small = (text: string) => text.toLocaleLowerCase(document.documentElement.lang || undefined);

/**
 * Focuses the menu entry that starts with the typed letters. Typing the same letter again focuses the next
 * entry with it. Returns a function that stops type-ahead.
 */
export function followTyping(): () => void {
  const listening = new AbortController();
  let typed = '';
  let last = -Infinity;
  const follow = (event: KeyboardEvent) => {
    const { key, target, ctrlKey, metaKey, altKey, isComposing } = event;
    const menu = target instanceof Element ? target.closest('[role="menu"]') : null;
    if (!menu || [...key].length !== 1 || ctrlKey || metaKey || altKey || isComposing) return;
    const now = performance.now();
    const isNew = now - last >= FORGOTTEN_AFTER;
    // no entry starts with a space, so a leading space is left to the browser
    if (key === ' ' && isNew) return;
    event.preventDefault();
    typed = (isNew ? '' : typed) + small(key);
    last = now;
    const letters = [...typed];
    const isOneLetter = letters.every((letter) => letter === letters[0]);
    const sought = isOneLetter ? letters[0]! : typed;
    const entries = [...menu.querySelectorAll<HTMLElement>(ENTRIES)];
    const present = entries.findIndex((entry) => entry.contains(document.activeElement));
    // one letter searches from the next entry on; with more letters, the focused entry may still match
    const from = Math.max(isOneLetter ? present + 1 : present, 0);
    const inTurn = [...entries.slice(from), ...entries.slice(0, from)];
    inTurn.find(({ textContent }) => small(textContent.trim()).startsWith(sought))?.focus();
  };
  document.addEventListener('keydown', follow, { signal: listening.signal });
  return () => listening.abort();
}
