// Before anything is painted: the colour scheme that was chosen here (src/app/theme/use-scheme.ts), else the system's.
try {
  const chosen = localStorage.getItem('color-scheme');
  if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen;
} catch {
  // Storage may be forbidden: then the system's.
}
