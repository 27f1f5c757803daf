import { icon } from './icons';

// Icons that neither the landing page nor an event's page shows, because both have a script budget.
export const ArrowIcon = /* @__PURE__ */ icon(<path d="M5 12h14M13 6l6 6-6 6" />);
export const CameraIcon = /* @__PURE__ */ icon(
  <>
    <path d="M4 8h3.2L9 5.5h6L16.8 8H20a1 1 0 0 1 1 1v9a1.5 1.5 0 0 1-1.5 1.5h-15A1.5 1.5 0 0 1 3 18V9a1 1 0 0 1 1-1z" />
    <circle cx="12" cy="13" r="3.6" />
  </>,
);
export const DownloadIcon = /* @__PURE__ */ icon(<path d="M12 4v11M7 10.5l5 5 5-5M4.5 20h15" />);
export const FilterIcon = /* @__PURE__ */ icon(<path d="M4 7h16M7 12h10M10 17h4" />);
export const PlusIcon = /* @__PURE__ */ icon(<path d="M12 5v14M5 12h14" />);
export const EditIcon = /* @__PURE__ */ icon(
  <path d="M4.5 19.5l1-4.5L16 4.5l3.5 3.5L9 18.5zM13.5 7l3.5 3.5" />,
);
export const MoreIcon = /* @__PURE__ */ icon(
  <path strokeWidth="2.6" d="M5.5 12h.01M12 12h.01M18.5 12h.01" />,
);
export const UserIcon = /* @__PURE__ */ icon(
  <>
    <circle cx="12" cy="8" r="4" />
    <path d="M4 20.5a8 8 0 0 1 16 0" />
  </>,
);
export const KeyIcon = /* @__PURE__ */ icon(
  <>
    <circle cx="8" cy="15" r="4.5" />
    <path d="M11.5 11.5L20 3M16.5 6.5l3 3" />
  </>,
);
export const SignOutIcon = /* @__PURE__ */ icon(
  <path d="M14 4H6.5A1.5 1.5 0 0 0 5 5.5v13A1.5 1.5 0 0 0 6.5 20H14M10 12h11M17 8l4 4-4 4" />,
);
export const MailIcon = /* @__PURE__ */ icon(
  <>
    <rect x="3" y="5" width="18" height="14" rx="2.5" />
    <path d="M3.5 7l8.5 6.5L20.5 7" />
  </>,
);
