export const later = true
