/** The viewer of the reference in the colours of the pages. */
export const referenceStyle = `
.swagger-ui, html.dark-mode .swagger-ui { font-family: inherit; color: var(--text); }
.swagger-ui .opblock-tag { display: none; }
.swagger-ui .auth-wrapper { justify-content: flex-start; margin-bottom: 1rem; }
.swagger-ui .btn.authorize, html.dark-mode .swagger-ui .btn.authorize {
  color: var(--accent);
  border-color: var(--accent);
}
.swagger-ui .btn { transition: none; }
.swagger-ui .btn.authorize svg, html.dark-mode .swagger-ui .btn.authorize svg { fill: var(--accent); }
.swagger-ui .opblock .opblock-summary .opblock-summary-method {
  color: var(--on-accent) !important;
  background: var(--accent) !important;
  text-shadow: none;
}
.swagger-ui .responses-table { overflow-wrap: anywhere; }
.swagger-ui .parameters-col_name { width: 10rem; }
.swagger-ui .responses-inner, .swagger-ui .table-container { overflow-x: auto; }
.swagger-ui .headers-wrapper, .swagger-ui table.headers { display: block; max-width: 100%; overflow-x: auto; }
.swagger-ui .header-col, html.dark-mode .swagger-ui .header-col { color: inherit; }
.swagger-ui .opblock.opblock-deprecated { opacity: 1; }
.swagger-ui .parameter__in, html.dark-mode .swagger-ui .parameter__in { color: var(--quiet); }
.swagger-ui .microlight span[style*="211, 99, 99"] { color: #ffa8a8 !important; }
@media print { .swagger-ui .try-out, .swagger-ui .auth-wrapper { display: none; } }
`;
