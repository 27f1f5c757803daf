import type { ReactNode } from 'react';

// used instead of antd's icons, which add English names to buttons
export const icon = (paths: ReactNode) =>
  function Icon({ size = 20 }: { size?: number }) {
    return (
      <svg
        width={size}
        height={size}
        viewBox="0 0 24 24"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.8"
        strokeLinecap="round"
        strokeLinejoin="round"
        aria-hidden="true"
        focusable="false"
      >
        {paths}
      </svg>
    );
  };

export const PauseIcon = /* @__PURE__ */ icon(<path d="M9 5v14M15 5v14" />);
export const PlayIcon = /* @__PURE__ */ icon(<path d="M8 5.5v13l10.5-6.5z" />);
export const MenuIcon = /* @__PURE__ */ icon(<path d="M4 7h16M4 12h16M4 17h10" />);
export const SunIcon = /* @__PURE__ */ icon(
  <>
    <circle cx="12" cy="12" r="4" />
    <path d="M12 2.5v2M12 19.5v2M4.6 4.6L6 6M18 18l1.4 1.4M2.5 12h2M19.5 12h2M4.6 19.4L6 18M18 6l1.4-1.4" />
  </>,
);
export const MoonIcon = /* @__PURE__ */ icon(
  <path d="M20 14.2A8.2 8.2 0 0 1 9.8 4a8.2 8.2 0 1 0 10.2 10.2z" />,
);
export const SearchIcon = /* @__PURE__ */ icon(
  <>
    <circle cx="11" cy="11" r="6.5" />
    <path d="M16 16l4.5 4.5" />
  </>,
);
export const OfflineIcon = /* @__PURE__ */ icon(
  <path d="M2.5 9.5A14 14 0 0 1 8 6.2M21.5 9.5A14 14 0 0 0 12 5.6M6 13.3a9 9 0 0 1 4-2.3M18 13.3a9 9 0 0 0-2-1.4M9.3 16.8a4 4 0 0 1 5.4 0M12 20h.01M4 3l16 18" />,
);
export const RefreshIcon = /* @__PURE__ */ icon(<path d="M20 11a8 8 0 1 0-1.6 6M20 5v6h-6" />);
export const PinIcon = /* @__PURE__ */ icon(
  <>
    <path d="M12 21s7-6 7-11.2A7 7 0 0 0 5 9.8C5 15 12 21 12 21z" />
    <circle cx="12" cy="9.8" r="2.4" />
  </>,
);
export const ClockIcon = /* @__PURE__ */ icon(
  <>
    <circle cx="12" cy="12" r="8.5" />
    <path d="M12 7v5l3.2 2" />
  </>,
);
export const PeopleIcon = /* @__PURE__ */ icon(
  <>
    <circle cx="9" cy="8.5" r="3.5" />
    <path d="M2.5 20a6.5 6.5 0 0 1 13 0M16 5.3a3.5 3.5 0 0 1 0 6.4M18 14.3a6.5 6.5 0 0 1 3.5 5.7" />
  </>,
);
export const CalendarIcon = /* @__PURE__ */ icon(
  <>
    <rect x="3.5" y="5" width="17" height="15.5" rx="3" />
    <path d="M3.5 10h17M8 2.8V7M16 2.8V7" />
  </>,
);
export const CopyIcon = /* @__PURE__ */ icon(
  <path d="M10 8.5h8.5A1.5 1.5 0 0 1 20 10v8.5a1.5 1.5 0 0 1-1.5 1.5H10a1.5 1.5 0 0 1-1.5-1.5V10A1.5 1.5 0 0 1 10 8.5zM15.5 8.5v-3A1.5 1.5 0 0 0 14 4H5.5A1.5 1.5 0 0 0 4 5.5V14a1.5 1.5 0 0 0 1.5 1.5h3" />,
);
export const ShareIcon = /* @__PURE__ */ icon(
  <path d="M12 15V3.5M7.5 8L12 3.5 16.5 8M5 12.5V19a1.5 1.5 0 0 0 1.5 1.5h11A1.5 1.5 0 0 0 19 19v-6.5" />,
);
export const ChevronDownIcon = /* @__PURE__ */ icon(<path d="M5.5 9.5L12 16l6.5-6.5" />);
export const VideoIcon = /* @__PURE__ */ icon(
  <path d="M4.5 6.5h9A1.5 1.5 0 0 1 15 8v8a1.5 1.5 0 0 1-1.5 1.5h-9A1.5 1.5 0 0 1 3 16V8a1.5 1.5 0 0 1 1.5-1.5zM15 10.5l6-3.5v10l-6-3.5" />,
);
export const ChevronLeftIcon = /* @__PURE__ */ icon(<path d="M14.5 5.5L8 12l6.5 6.5" />);
export const ChevronRightIcon = /* @__PURE__ */ icon(<path d="M9.5 5.5L16 12l-6.5 6.5" />);
export const CloseIcon = /* @__PURE__ */ icon(<path d="M6.5 6.5l11 11M17.5 6.5l-11 11" />);
export const CheckIcon = /* @__PURE__ */ icon(<path d="M4.5 12.5l5 5L19.5 7" />);
export const EyeIcon = /* @__PURE__ */ icon(
  <>
    <path d="M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12z" />
    <circle cx="12" cy="12" r="3" />
  </>,
);
export const EyeOffIcon = /* @__PURE__ */ icon(
  <>
    <path d="M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12z" />
    <path d="M4 20L20 4" />
  </>,
);
export const LinkedInIcon = ({ size = 20 }: { size?: number }) => (
  <svg
    width={size}
    height={size}
    viewBox="0 0 24 24"
    fill="currentColor"
    aria-hidden="true"
    focusable="false"
  >
    <path d="M4.98 3.5a2.5 2.5 0 1 1 0 5 2.5 2.5 0 0 1 0-5zM3 9.75h4V21H3zM9.5 9.75h3.8v1.6c.6-1 1.9-1.9 3.7-1.9 3.7 0 4.5 2.3 4.5 5.4V21h-4v-5.4c0-1.4-.2-2.8-1.9-2.8-1.8 0-2.1 1.4-2.1 2.8V21h-4z" />
  </svg>
);
