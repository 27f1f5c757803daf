/** Two circles that meet: the same sign as the favicon. */
export function BrandMark({ size = 34 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <rect width="32" height="32" rx="9" fill="#0b6a50" />
      <circle cx="12.5" cy="16" r="6.5" fill="#f2b233" />
      <circle cx="19.5" cy="16" r="6.5" fill="#ff7a59" />
      <path d="M16 10.53a6.5 6.5 0 0 1 0 10.94 6.5 6.5 0 0 1 0-10.94z" fill="#fff" />
    </svg>
  );
}
