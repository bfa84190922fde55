// Starts flagdouble where Unleash's image has its server.
import './dist/cli.js'
